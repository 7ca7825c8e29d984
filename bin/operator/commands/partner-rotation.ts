import type { Command } from 'commander';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { isTaken } from '../../../functions/shared/outbound/probe/probe.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { announcedText, issuedPartnerText } from '../output/partner.ts';
import { faultSentence } from '../output/webhook.ts';
import { findPartner, revokeTokens, rotateSecret } from '../partners/partners.ts';
import { announceSignature, cancelRotation, finishRotation } from '../partners/signature-rotation.ts';
import { signatureOf } from '../partners/webhooks.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

/** `partner rotate-secret`, `revoke-tokens` and `rotate-signature`: what lets a partner in is replaced, or ended. */
export const addRotationCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('rotate-secret <name>')
    .description('Issue a new client secret, shown once; the former one goes on working for the overlap')
    .option('--overlap-hours <hours>', 'how long the former secret still works; 0 ends it now', '168')
    .addHelpText(
      'after',
      '\nTwo secrets work at most: rotating again ends the oldest.\n\nAfter a leak:\n  partner rotate-secret acme --overlap-hours 0',
    )
    .action(run((context, options: { overlapHours: string }, name) => rotate(context, options, name)));
  partner
    .command('revoke-tokens <name>')
    .description('Refuse every access token that a partner has got until now; it can get new ones at once')
    .addHelpText(
      'after',
      '\nAfter a leak of its secret:\n  partner rotate-secret acme --overlap-hours 0   ends the secret, and with it its tokens',
    )
    .action(run((context, _options, name) => endTokens(context, name)));
  partner
    .command('rotate-signature <name>')
    .description('Announce a next webhook signature, shown once; --finish makes it the one that counts')
    .option('--finish', 'switch to the announced value, which the endpoint must take by now')
    .option('--cancel', 'forget the announced value')
    .option('--unchecked', 'with --finish: switch even if the endpoint does not take it')
    .addHelpText(
      'after',
      `
1. partner rotate-signature acme           shows the next value; messages carry it as X-Webhook-Signature-Next
2. the partner accepts both values in X-Webhook-Signature
3. partner rotate-signature acme --finish  asks the endpoint, then switches; the partner drops the former value

After a leak, without waiting for the partner:
  partner rotate-signature acme
  partner rotate-signature acme --finish --unchecked`,
    )
    .action(run((context, options: RotateSignatureOptions, name) => rotateSignature(context, options, name)));
};

const rotate = async (context: CommandContext, { overlapHours }: { overlapHours: string }, name: string) => {
  const hours = Number(overlapHours);
  if (!(hours >= 0 && hours <= 8760)) throw new UserError('--overlap-hours is a number from 0 to 8760.');
  const partner = valueOrUserError(await findPartner(name, context.deps), name);
  if (hours === 0) await context.confirm(`This ends every secret of "${partner.name}" now.`, partner.name);
  await context.record('partner rotate-secret', {
    name: partner.name,
    clientId: partner.clientId,
    overlapHours: hours,
  });
  const rotation = { overlapMs: hours * 3_600_000, madeBy: context.who };
  const issued = valueOrUserError(await rotateSecret(partner, rotation, context.deps), partner.name);
  return { json: issued, text: issuedPartnerText(issued) };
};

/** It does not ask: a partner that has lost its tokens gets new ones by itself. */
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

const announce = async (context: CommandContext, partner: Partner) => {
  await recordStep(context, partner, 'announce');
  const outcome = await announceSignature(partner, context.deps);
  const { next } = valueOrUserError(outcome, subjectOf(partner));
  const { name, clientId } = partner;
  const announced = { name, clientId, nextWebhookSignature: next };
  return { json: announced, text: announcedText(announced) };
};

/** Switches only when the endpoint takes the new value, unless --unchecked says otherwise (I22). */
const finish = async (context: CommandContext, partner: Partner, { unchecked }: RotateSignatureOptions) => {
  if (unchecked) {
    const consequence = `The endpoint of "${partner.name}" may refuse every message from now on.`;
    await context.confirm(consequence, partner.name);
  } else {
    await demandAccepted(context, partner);
  }
  await recordStep(context, partner, 'finish');
  valueOrUserError(await finishRotation(partner, context.deps), subjectOf(partner));
  const { name, clientId } = partner;
  return {
    json: { name, clientId, finished: true },
    text: `Messages to "${name}" carry the new signature from now on. The partner drops the former one in a few minutes: what is on its way may still carry it.\n`,
  };
};

const demandAccepted = async ({ deps }: CommandContext, partner: Partner) => {
  const { next } = await signatureOf(partner, deps);
  if (partner.webhookUrl === undefined || next === undefined) return;
  const checked = await deps.probe.check(new URL(partner.webhookUrl), { signature: next });
  const why = checked.ok
    ? `It answers ${checked.value.status} to the announced signature.`
    : faultSentence(checked.reason, partner.webhookUrl);
  if (checked.ok && isTaken(checked.value.status)) return;
  throw new UserError(
    `${why} Nothing was changed: its events would be refused. --unchecked switches all the same.`,
  );
};

const cancel = async (context: CommandContext, partner: Partner) => {
  await recordStep(context, partner, 'cancel');
  valueOrUserError(await cancelRotation(partner, context.deps), subjectOf(partner));
  const { name, clientId } = partner;
  return {
    json: { name, clientId, cancelled: true },
    text: `The announced signature of "${name}" is forgotten; the one that counts has not changed.\n`,
  };
};

const recordStep = (context: CommandContext, { name, clientId }: Partner, step: string) =>
  context.record('partner rotate-signature', { name, clientId, step });

const subjectOf = ({ name }: Partner) => `The partner "${name}"`;
