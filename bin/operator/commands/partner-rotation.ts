import type { Command } from 'commander';
import { makeWebhookSignature } from '../../../functions/shared/auth/client-secret.ts';
import type { Partner, SignatureStep } from '../../../functions/shared/domain/partner.ts';
import { rotationOf } from '../../../functions/shared/domain/webhook-changes.ts';
import { readNumber } from '../arguments.ts';
import { byOperator, type CommandContext, type CommandResult, type RunCommand } from '../context.ts';
import { announcedText, issuedPartnerText } from '../output/partner.ts';
import { exitCodeOf, standingText } from '../output/webhook.ts';
import { faultSentence } from '../output/webhook-check.ts';
import { isTaken } from '../partners/endpoint-answers.ts';
import { findPartner, revokeTokens, rotateSecret } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { awaitEndpoint, checkAddress } from './webhook-wait.ts';

/** `partner rotate-secret`, `revoke-tokens` and `rotate-signature`: a partner's credentials. */
export const addRotationCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('rotate-secret <name>')
    .description('Issue a new client secret, shown once; the former secret works until the overlap ends')
    .option('--overlap-hours <hours>', 'hours until the former secret ends; 0 ends it now', '168')
    .addHelpText(
      'after',
      '\nAt most two secrets work at a time: another rotation ends the oldest.\n\nAfter a leak:\n  partner rotate-secret acme --overlap-hours 0',
    )
    .action(run((context, options: { overlapHours: string }, name) => rotate(context, options, name)));
  partner
    .command('revoke-tokens <name>')
    .description('Revoke all access tokens of a partner; it can request new ones immediately')
    .addHelpText(
      'after',
      '\nAfter a leak of the secret:\n  partner rotate-secret acme --overlap-hours 0   ends the secret and its tokens',
    )
    .action(run((context, _options, name) => endTokens(context, name)));
  partner
    .command('rotate-signature <name>')
    .description('Create the next webhook signature, shown once; --finish switches to it')
    .option('--finish', 'switch to the next signature, which the endpoint must accept by now')
    .option('--cancel', 'discard the next signature')
    .option('--unchecked', 'with --finish: switch even if the endpoint does not accept it')
    .addHelpText(
      'after',
      `
1. partner rotate-signature acme           shows the next value, which no message carries yet
2. the partner configures its receiver to accept both values in X-Webhook-Signature
3. partner rotate-signature acme --finish  checks the endpoint, then switches; the partner removes the former value

After a leak, without waiting for the partner:
  partner rotate-signature acme
  partner rotate-signature acme --finish --unchecked`,
    )
    .action(run((context, options: RotateSignatureOptions, name) => rotateSignature(context, options, name)));
};

const rotate = async (context: CommandContext, { overlapHours }: { overlapHours: string }, name: string) => {
  const hours = readNumber('--overlap-hours', overlapHours, { least: 0, most: 8_760 });
  const partner = valueOrUserError(await findPartner(name, context.deps), name);
  if (hours === 0) await context.confirm(`This ends every secret of "${partner.name}" now.`, partner.name);
  await context.record('partner rotate-secret', {
    name: partner.name,
    clientId: partner.clientId,
    overlapHours: hours,
  });
  const rotation = { overlapMs: hours * 3_600_000, madeBy: context.who };
  const issued = valueOrUserError(await rotateSecret(partner, rotation, context.deps), partner.name);
  const endsAt = new Date(context.deps.now().getTime() + rotation.overlapMs).toISOString();
  const former =
    hours === 0 ? 'No former secret works any more.' : `The former secret works until ${endsAt}.`;
  return { json: issued, text: `${issuedPartnerText(issued)}${former}\n` };
};

/** Asks for no confirmation: the partner can get new tokens by itself. */
const endTokens = async (context: CommandContext, name: string) => {
  const partner = valueOrUserError(await findPartner(name, context.deps), name);
  const { name: called, clientId } = partner;
  await context.record('partner revoke-tokens', { name: called, clientId });
  const revokedAt = context.deps.now().toISOString();
  valueOrUserError(await revokeTokens(partner, context.deps), `The partner "${called}"`);
  return {
    json: { name: called, clientId, tokensRevokedAt: revokedAt },
    text: `Every token that "${called}" has is refused from its next request on. It can get new ones; "partner disable" locks it out.\n`,
  };
};

type RotateSignatureOptions = { finish?: boolean; cancel?: boolean; unchecked?: boolean };

const rotateSignature = async (context: CommandContext, options: RotateSignatureOptions, name: string) => {
  if (options.finish && options.cancel) throw new UserError('Name one of --finish and --cancel.');
  const partner = valueOrUserError(await findPartner(name, context.deps), name);
  if (options.finish) return finish(context, partner, options);
  return options.cancel ? cancel(context, partner) : announce(context, partner);
};

const announce = async (context: CommandContext, partner: Partner): Promise<CommandResult> => {
  const next = makeWebhookSignature(context.deps.random);
  await take(context, partner, { announce: next });
  const { name, clientId } = partner;
  const announced = { name, clientId, nextWebhookSignature: next };
  return { json: announced, text: announcedText(announced) };
};

/** Switches only when the endpoint accepts the new value, or with `--unchecked` (I22). */
const finish = async (
  context: CommandContext,
  partner: Partner,
  { unchecked }: RotateSignatureOptions,
): Promise<CommandResult> => {
  valueOrUserError(rotationOf(partner, 'finish', byOperator(context)), subjectOf(partner));
  if (unchecked) {
    const consequence = `The endpoint of "${partner.name}" may refuse every message from now on.`;
    await context.confirm(consequence, partner.name);
  } else {
    await demandAccepted(context, partner);
  }
  const { name, clientId } = partner;
  const after = await take(context, partner, 'finish');
  const json = { name, clientId, finished: true };
  const text = `Messages to "${name}" carry the new signature from now on. The partner can remove the former one in a few minutes: messages under way may still carry it.\n`;
  // Without a webhook there are no resources at the bus to wait for.
  if (after.webhookUrl === undefined) return { json, text };
  const standing = await awaitEndpoint(context, after);
  const exitCode = exitCodeOf([standing]);
  if (standing.step === 'reached') return { json, text, exitCode };
  return { json, text: `The step is recorded. ${standingText(name, standing)}`, exitCode };
};

const demandAccepted = async (context: CommandContext, partner: Partner) => {
  if (partner.webhookUrl === undefined) return;
  const { nextStatus, fault } = await checkAddress(context, partner, partner.webhookUrl);
  if (nextStatus !== undefined && isTaken(nextStatus)) return;
  const why =
    nextStatus === undefined
      ? faultSentence(fault ?? 'timed out', partner.webhookUrl)
      : `It answers ${nextStatus} to the next signature.`;
  throw new UserError(
    `${why} Nothing was changed, since it would refuse its events. To switch anyway, add --unchecked.`,
  );
};

const cancel = async (context: CommandContext, partner: Partner): Promise<CommandResult> => {
  const { name, clientId } = await take(context, partner, 'cancel');
  return {
    json: { name, clientId, cancelled: true },
    text: `The next signature of "${name}" is discarded; the present signature has not changed.\n`,
  };
};

/** Writes the audit record, then partner and signature in one write. It neither reads nor records a signature. */
const take = async (context: CommandContext, before: Partner, step: SignatureStep): Promise<Partner> => {
  const { deps } = context;
  const change = valueOrUserError(rotationOf(before, step, byOperator(context)), subjectOf(before));
  const { name, clientId } = before;
  await context.record('partner rotate-signature', {
    name,
    clientId,
    step: typeof step === 'string' ? step : 'announce',
  });
  return valueOrUserError(await deps.partners.rotateSignature(change, step), subjectOf(before));
};

const subjectOf = ({ name }: Partner) => `The partner "${name}"`;
