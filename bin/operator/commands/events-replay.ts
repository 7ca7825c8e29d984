import type { Command } from 'commander';
import { type OnPart, sendAgainSince } from '../../../functions/shared/replay/partner-walk.ts';
import { type StandaloneReplay, sendStandalone } from '../../../functions/shared/replay/standalone.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { findRecipient, partnerNames } from '../events/deliveries.ts';
import { withoutMoves } from '../events/dry-run.ts';
import { sentSinceText, standaloneText } from '../output/events.ts';
import { progressOf } from '../output/progress.ts';
import { readTime } from '../output/time.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { deliveriesTo, findEvent } from './events-show.ts';

type ReplayCommandOptions = { partner?: string; since?: string; dryRun?: boolean };

/** `events replay`: sends one event again, or all events to a partner since a time. */
export const addReplayCommand = (events: Command, run: RunCommand) =>
  events
    .command('replay [event]')
    .description('Replay one event, or all events since a time as one event per transaction')
    .option('--partner <name>', 'only to this partner, by name or client ID')
    .option('--since <time>', 'everything claimed since: 2026-11-21T12:00:00Z, or 30m, 2h, 3d ago')
    .option('--dry-run', 'count the events and change nothing')
    .addHelpText(
      'after',
      `
One replayed event has the same id and body. Partners that may no longer see the transaction do not get it. The next poll
sends it; "partner show" says whether the partner is paused or disabled. With --since, everything since that time is sent
again, also what was delivered. A transaction's changes become one event with its present state, in batches of a thousand
events, oldest first. After an interruption, start again with --since at the last printed time.

Examples:
  events replay 82798bdc-1481-597d-b485-d6457b82d406 --partner acme
  events replay --partner acme --since 3h --dry-run`,
    )
    .action(
      run((context, options: ReplayCommandOptions, eventId: string | undefined) =>
        replay(context, options, eventId),
      ),
    );

const replay = (context: CommandContext, options: ReplayCommandOptions, eventId: string | undefined) => {
  const { partner, since, dryRun = false } = options;
  if (eventId !== undefined && since === undefined) return replayEvent(context, { eventId, partner, dryRun });
  if (eventId === undefined && partner !== undefined && since !== undefined)
    return replayAll(context, { partner, since, dryRun });
  throw new UserError('Name one event, or a partner and a time with --partner and --since.');
};

const replayEvent = async (
  context: CommandContext,
  { eventId, partner, dryRun }: { eventId: string; partner: string | undefined; dryRun: boolean },
): Promise<CommandResult> => {
  const deliveries = await deliveriesTo(partner, await findEvent(eventId, context), context);
  const clientId = partner === undefined ? 'all' : (deliveries[0]?.clientId ?? 'all');
  if (!dryRun) await context.record('events replay', { eventId, clientId });
  const deps = depsOf(context, dryRun);
  const replayed: StandaloneReplay[] = [];
  for (const delivery of deliveries) replayed.push(await sendStandalone(delivery, deps));
  const names = await partnerNames(context.deps);
  return {
    json: { events: replayed.map(toView), dryRun },
    text: standaloneText(replayed, { names, dryRun }),
  };
};

const toView = ({ outcome, delivery, newerVersion }: StandaloneReplay) => {
  const { eventId, clientId, type, uuid, from, to } = delivery;
  return { outcome, eventId, clientId, type, uuid, from, to, newerVersion };
};

const replayAll = async (
  context: CommandContext,
  { partner, since, dryRun }: { partner: string; since: string; dryRun: boolean },
): Promise<CommandResult> => {
  const sinceMs = readTime('--since', since, context.deps.now());
  const { clientId } = valueOrUserError(await findRecipient(partner, context.deps), partner);
  if (!dryRun) await context.record('events replay', { clientId, since: new Date(sinceMs).toISOString() });
  const progress = progressOf(context.terminal, { oneIn: 1 });
  const onPart: OnPart = ({ untilMs, transactions }) =>
    progress.update(untilMs, `Up to ${new Date(untilMs).toISOString()}: ${transactions} transactions`);
  const counts = await sendAgainSince(clientId, sinceMs, depsOf(context, dryRun), onPart);
  progress.stop();
  return { json: { ...counts, dryRun }, text: sentSinceText(counts, dryRun) };
};

const depsOf = ({ deps: { transactions, deliveryLog, now } }: CommandContext, dryRun: boolean) => ({
  transactions,
  deliveryLog: dryRun ? withoutMoves(deliveryLog) : deliveryLog,
  clock: now,
});
