import type { Command } from 'commander';
import { isBeingRemoved } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner, PartnerChange } from '../../../functions/shared/domain/partner.ts';
import {
  paused,
  resumed,
  withoutWebhook,
  withWebhook,
} from '../../../functions/shared/domain/webhook-changes.ts';
import { readWebhookUrl } from '../arguments.ts';
import { byOperator, type CommandContext, type CommandResult, type RunCommand } from '../context.ts';
import { exitCodeOf, standingText } from '../output/webhook.ts';
import { checkText, checkView, isGood, takesRight } from '../output/webhook-check.ts';
import { findPartner, webhookUrlOf } from '../partners/partners.ts';
import { standingView } from '../partners/webhook-view.ts';
import { valueOrUserError } from '../refusals.ts';
import type { RecordedCommand } from '../restore/by-hand.ts';
import { UserError } from '../user-error.ts';
import { addressMs, awaitEndpoint, checkAddress, messageTo } from './webhook-wait.ts';

type SetWebhookOptions = { url: string; unchecked?: boolean; dryRun?: boolean; wait: boolean };

/** `partner set-webhook`, `remove-webhook`, `check-webhook`, `pause`, `resume`: a partner's endpoint. */
export const addWebhookCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('set-webhook <name>')
    .description('Set or change the webhook address; the service checks it first')
    .requiredOption('--url <url>', 'https address on the public internet; must answer 2xx within 5 s')
    .option('--unchecked', 'use the address even if it does not accept the test message')
    .option('--no-wait', 'do not wait until the webhook is on')
    .option('--dry-run', 'check the address and change nothing')
    .addHelpText(
      'after',
      `
The endpoint gets two test messages (detail-type "WebhookTest", empty detail). It should refuse the one with a wrong
X-Webhook-Signature, and must accept the one with the right signature. Events go to the former address until the check has
passed. The command waits up to 60 s; the service continues without it.

Example:
  partner set-webhook acme --url https://hooks.acme.example/transactions`,
    )
    .action(run((context, options: SetWebhookOptions, name) => set(context, options, name)));
  partner
    .command('check-webhook <name>')
    .description('Check the endpoint as set-webhook does; exits with 1 if something is wrong')
    .addHelpText('after', '\nExample:\n  partner check-webhook acme')
    .action(run((context, _options, name) => check(context, name)));
  partner
    .command('pause <name>')
    .description('Keep a partner’s events until "partner resume", and stop the retries of its events')
    .addHelpText(
      'after',
      `
Stopped retries are kept with the other events. The partner cannot resume this itself.

Example, during maintenance of the endpoint:
  partner pause acme
  partner resume acme`,
    )
    .action(run((context, _options, name) => pause(context, name)));
  partner
    .command('resume <name>')
    .description('Resume a partner’s events: one event per transaction for what was kept')
    .addHelpText(
      'after',
      '\nIt also ends a pause that the partner set itself.\n\nExample:\n  partner resume acme',
    )
    .action(run((context, _options, name) => resume(context, name)));
  partner
    .command('remove-webhook <name>')
    .description('Remove the webhook, and discard events that are kept or being retried')
    .addHelpText(
      'after',
      '\nTo keep the events, use "partner pause".\n\nExample:\n  partner remove-webhook acme',
    )
    .action(run((context, _options, name) => remove(context, name)));
};

const find = async ({ deps }: CommandContext, name: string): Promise<Partner> =>
  valueOrUserError(await findPartner(name, deps), name);

const findWithWebhook = async (context: CommandContext, name: string) => {
  const partner = await find(context, name);
  return { partner, webhookUrl: valueOrUserError(webhookUrlOf(partner), subjectOf(partner)) };
};

const subjectOf = ({ name }: Partner) => `The partner "${name}"`;

const set = async (
  context: CommandContext,
  { url: text, unchecked, dryRun = false, wait }: SetWebhookOptions,
  name: string,
): Promise<CommandResult> => {
  const { deps } = context;
  const { href: url } = readWebhookUrl(text, deps.endpointRules);
  const before = await find(context, name);
  const { name: called, clientId, webhookUrl = null } = before;
  const facts = { name: called, clientId, webhookUrl: url, before: { webhookUrl } };
  const difference = `Partner "${called}":\n${webhookUrl === null ? '' : `  - ${webhookUrl}\n`}  + ${url}\n`;
  if (dryRun) return tryAddress(context, before, { url, facts, difference });
  const { endpoint } = (await deps.partners.profileOf(clientId)) ?? {};
  if (isBeingRemoved(before, endpoint))
    throw new UserError(
      `The removal of the webhook of "${called}" has not ended yet: try again in half a minute.`,
    );
  await context.record('partner set-webhook', {
    ...{ name: called, clientId, url },
    ...(unchecked && { unchecked }),
  });
  const after = withWebhook(before, { url, unchecked }, byOperator(context));
  valueOrUserError(await deps.partners.update({ before, after }), subjectOf(before));
  if (!wait) {
    await deps.endpointRequests.send([messageTo(clientId, undefined)]);
    return {
      json: { ...facts, webhook: 'verifying', dryRun },
      text: `${difference}It is verifying: "partner show ${called}" shows its state.\n`,
    };
  }
  const standing = await awaitEndpoint(context, after, {
    mostMs: addressMs,
    checked: unchecked ? undefined : url,
  });
  const { check: answer } = standing;
  return {
    json: {
      ...facts,
      ...standingView(standing, context.deps),
      ...(answer && checkView(answer)),
      dryRun,
    },
    text: `${difference}${answer ? checkText(answer) : ''}${standingText(called, standing)}`,
    exitCode: exitCodeOf([standing]),
  };
};

type Trial = { url: string; facts: object; difference: string };

const tryAddress = async (
  context: CommandContext,
  partner: Partner,
  { url, facts, difference }: Trial,
): Promise<CommandResult> => {
  const answer = await checkAddress(context, partner, url);
  return {
    json: { ...facts, ...checkView(answer), dryRun: true },
    text: `${checkText(answer)}${difference}Nothing was changed (--dry-run).\n`,
    exitCode: takesRight(answer) ? 0 : 1,
  };
};

const check = async (context: CommandContext, name: string): Promise<CommandResult> => {
  const { partner, webhookUrl } = await findWithWebhook(context, name);
  const { name: called, clientId } = partner;
  const answer = await checkAddress(context, partner, webhookUrl);
  return {
    json: { name: called, clientId, webhookUrl, ...checkView(answer) },
    text: `${webhookUrl}\n${checkText(answer)}`,
    exitCode: isGood(answer) ? 0 : 1,
  };
};

const pause = async (context: CommandContext, name: string) => {
  const { partner: before } = await findWithWebhook(context, name);
  return change(context, 'partner pause', { before, after: paused(before, byOperator(context)) });
};

const resume = async (context: CommandContext, name: string) => {
  const { partner: before } = await findWithWebhook(context, name);
  return change(context, 'partner resume', { before, after: resumed(before, byOperator(context)) });
};

const remove = async (context: CommandContext, name: string) => {
  const before = await find(context, name);
  const { endpoint } = (await context.deps.partners.profileOf(before.clientId)) ?? {};
  // A command that died may have left resources at the bus.
  if (before.webhookUrl === undefined && (endpoint === undefined || endpoint.state === 'off'))
    valueOrUserError(webhookUrlOf(before), subjectOf(before));
  await context.confirm(
    `This removes the webhook of "${before.name}": events that are kept or being retried are discarded.`,
    before.name,
  );
  return change(context, 'partner remove-webhook', {
    before,
    after: withoutWebhook(before, byOperator(context)),
  });
};

/** Writes the audit record, then the partner, then waits for the bus (S-28). */
const change = async (
  context: CommandContext,
  command: RecordedCommand,
  { before, after }: PartnerChange,
): Promise<CommandResult> => {
  const { name, clientId } = before;
  await context.record(command, { name, clientId });
  valueOrUserError(await context.deps.partners.update({ before, after }), subjectOf(before));
  const standing = await awaitEndpoint(context, after);
  return {
    json: {
      name,
      clientId,
      webhookUrl: after.webhookUrl ?? null,
      ...standingView(standing, context.deps),
    },
    text: standingText(name, standing),
    exitCode: exitCodeOf([standing]),
  };
};
