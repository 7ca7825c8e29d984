import type { Command } from 'commander';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { readWebhookUrl } from '../arguments.ts';
import { type CommandContext, type RunCommand, webhookDepsOf } from '../context.ts';
import { mayStillArrive } from '../output/webhook.ts';
import { findPartner } from '../partners/partners.ts';
import { pauseWebhook, removeWebhook, resumeWebhook, setWebhook, signatureOf } from '../partners/webhooks.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { checkEndpoint } from './webhook-check.ts';

type SetWebhookOptions = { url: string; unchecked?: boolean; dryRun?: boolean };

/** `partner set-webhook`, `remove-webhook`, `check-webhook`, `pause`, `resume`: where its events go, and whether. */
export const addWebhookCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('set-webhook <name>')
    .description('Send a partner its events, or send them elsewhere; its endpoint is asked first')
    .requiredOption('--url <url>', 'https, of the public internet, answering 2xx within 5 s')
    .option('--unchecked', 'set it even if it does not take the test message')
    .option('--dry-run', 'ask the endpoint and change nothing')
    .addHelpText(
      'after',
      `
The endpoint gets two test messages (detail-type "WebhookTest", empty detail): one with a wrong X-Webhook-Signature, which it
should refuse, and one with the right one, which it must take.

Example:
  partner set-webhook acme --url https://hooks.acme.example/transactions`,
    )
    .action(run((context, options: SetWebhookOptions, name) => set(context, options, name)));
  partner
    .command('check-webhook <name>')
    .description('Ask the endpoint as set-webhook does; the exit code is 1 where something is wrong')
    .addHelpText('after', '\nExample:\n  partner check-webhook acme')
    .action(run((context, _options, name) => check(context, name)));
  partner
    .command('pause <name>')
    .description('Keep a partner’s events until "partner resume", from the next one on')
    .addHelpText(
      'after',
      '\nExample, while its endpoint is mended:\n  partner pause acme\n  partner resume acme',
    )
    .action(run((context, _options, name) => pause(context, name)));
  partner
    .command('resume <name>')
    .description('Send a partner its events again: one event per transaction for what was kept')
    .addHelpText(
      'after',
      '\nIt takes 20 s, and may be run again at any time.\n\nExample:\n  partner resume acme',
    )
    .action(run((context, _options, name) => resume(context, name)));
  partner
    .command('remove-webhook <name>')
    .description('Send a partner no events any more; what was kept for it is dropped')
    .addHelpText(
      'after',
      '\nTo keep its events for a while use "partner pause".\n\nExample:\n  partner remove-webhook acme',
    )
    .action(run((context, _options, name) => remove(context, name)));
};

const find = async ({ deps }: CommandContext, name: string): Promise<Partner> =>
  valueOrUserError(await findPartner(name, deps), name);

const subjectOf = ({ name }: Partner) => `The partner "${name}"`;

const set = async (
  context: CommandContext,
  { url: text, unchecked, dryRun = false }: SetWebhookOptions,
  name: string,
) => {
  const { deps } = context;
  const url = readWebhookUrl(text, deps.endpointRules);
  const partner = await find(context, name);
  const checked = await checkEndpoint(url, await signatureOf(partner, deps), context);
  if (!checked.check.takesSignature && !unchecked) {
    throw new UserError(
      `${checked.text.trimEnd().replaceAll('\n', ' ')} Nothing was changed. --unchecked sets it all the same.`,
    );
  }
  const { name: called, clientId, webhookUrl = null } = partner;
  const json = {
    name: called,
    clientId,
    webhookUrl: url.href,
    before: { webhookUrl },
    ...checked.check,
    dryRun,
  };
  const difference = `Partner "${called}":\n${webhookUrl === null ? '' : `  - ${webhookUrl}\n`}  + ${url.href}\n`;
  if (dryRun) return { json, text: `${checked.text}${difference}Nothing was changed (--dry-run).\n` };
  await context.record('partner set-webhook', { name: called, clientId, url: url.href });
  valueOrUserError(await setWebhook(partner, url.href, webhookDepsOf(context)), subjectOf(partner));
  return { json, text: `${checked.text}${difference}Done.\n` };
};

const check = async (context: CommandContext, name: string) => {
  const { deps } = context;
  const partner = await find(context, name);
  if (partner.webhookUrl === undefined) throw noWebhook(partner);
  const url = new URL(partner.webhookUrl);
  const signature = await signatureOf(partner, deps);
  const checked = await checkEndpoint(url, signature, context);
  const next = signature.next === undefined ? undefined : await takesNext(url, signature.next, context);
  const { name: called, clientId, webhookUrl } = partner;
  const isGood = checked.check.takesSignature && checked.check.refusesWrongSignature === true;
  return {
    json: { name: called, clientId, webhookUrl, ...checked.check, takesNextSignature: next ?? null },
    text: `${webhookUrl}\n${checked.text}${next === undefined ? '' : nextText(next)}`,
    exitCode: isGood ? 0 : 1,
  };
};

const noWebhook = (partner: Partner) =>
  new UserError(`${subjectOf(partner)} has no webhook: "partner set-webhook" sets one.`);

/** Whether the endpoint takes the announced signature, so that the rotation can be finished. */
const takesNext = async (url: URL, next: string, context: CommandContext) =>
  (await checkEndpoint(url, { signature: next }, context)).check.takesSignature;

const nextText = (isTaken: boolean) =>
  isTaken
    ? 'It takes the announced signature, too: "partner rotate-signature --finish" can switch.\n'
    : 'It does not take the announced signature yet.\n';

const pause = async (context: CommandContext, name: string) => {
  const partner = await find(context, name);
  const { name: called, clientId } = partner;
  await context.record('partner pause', { name: called, clientId });
  valueOrUserError(await pauseWebhook(partner, context.deps), subjectOf(partner));
  return {
    json: { name: called, clientId, webhookState: 'paused' },
    text: `${keptText(partner)}\n${mayStillArrive}\n`,
  };
};

/** A disabled partner gets nothing, and nothing is kept for it, even while it is paused. */
const keptText = ({ name, enabled }: Partner) =>
  enabled
    ? `Events for "${name}" are kept until "partner resume".`
    : `"${name}" is disabled: its events are neither sent nor kept before "partner enable", and then kept until "partner resume".`;

const resume = async (context: CommandContext, name: string) => {
  const partner = await find(context, name);
  const { name: called, clientId } = partner;
  await context.record('partner resume', { name: called, clientId });
  const outcome = await resumeWebhook(partner, webhookDepsOf(context));
  const { events } = valueOrUserError(outcome, subjectOf(partner));
  return {
    json: { name: called, clientId, webhookState: 'active', events },
    text: `Events for "${called}" are sent again; ${events} for what was kept.\n`,
  };
};

const remove = async (context: CommandContext, name: string) => {
  const partner = await find(context, name);
  const { name: called, clientId } = partner;
  await context.confirm(
    `This removes the webhook of "${called}": what is kept for it, and what the bus still tries to deliver, is dropped.`,
    called,
  );
  await context.record('partner remove-webhook', { name: called, clientId });
  valueOrUserError(await removeWebhook(partner, webhookDepsOf(context)), subjectOf(partner));
  return {
    json: { name: called, clientId, webhookUrl: null },
    text: `The webhook of "${called}" is removed.\n`,
  };
};
