import type { Command } from 'commander';
import type { EventFilter } from '../client/events.ts';
import { eventTypes } from '../event-types.ts';
import type { PartnerEvent } from '../types.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { columns } from './terminal.ts';
import { UserError } from './user-error.ts';

type ListOptions = { type?: string; state?: string; transaction?: string; since?: string; all?: boolean };

/** `events`: lists and replays events. */
export const addEventsCommands = (program: Command, run: RunCommand): void => {
  const events = program
    .command('events')
    .description('List the events of the last 30 days, and the result of each.');
  events
    .command('list')
    .description('List events, newest first.')
    .option('--type <type>', eventTypes.join(', '))
    .option('--state <state>', 'sent, failed, waiting, withheld')
    .option('--transaction <uuid>', 'of this transaction')
    .option('--since <when>', '2h, 3d, or 2026-11-22T12:00:00Z')
    .option('--all', 'all pages')
    .addHelpText('after', listExamples)
    .action(run(list));
  events
    .command('replay')
    .description('Replay all events since a time, or what failed.')
    .option('--since <when>', '2h, 3d, or a time')
    .option('--failed', 'what failed and was given up')
    .addHelpText('after', replayExamples)
    .action(run(replay));
};

const listExamples = `
Examples:
  transactions-partner events list --since 2h
  transactions-partner events list --state failed --all --json`;

const replayExamples = `
Examples:
  transactions-partner events replay --failed
  transactions-partner events replay --since 3h`;

const list = async (context: CommandContext, options: ListOptions): Promise<CommandResult> => {
  const { events } = clientOf(context);
  const query = { filter: filterOf(options, context.deps.now()) };
  if (!options.all) {
    const page = await events.list(query);
    return { text: tableOf(page.data), json: page };
  }
  const rows: PartnerEvent[] = [];
  for await (const row of events.list(query)) rows.push(row);
  return { text: tableOf(rows), json: { data: rows } };
};

const tableOf = (events: readonly PartnerEvent[]) =>
  events.length === 0 ? 'No events.\n' : columns(events.map(cellsOf));

/** The service names the types and states, because a list here could be out of date. */
const filterOf = ({ type, state, transaction, since }: ListOptions, now: Date) =>
  ({
    ...(type !== undefined && { type }),
    ...(state !== undefined && { state }),
    ...(transaction !== undefined && { transaction }),
    ...(since !== undefined && { since: timeOf(since, now) }),
  }) as EventFilter;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const timeOf = (text: string, now: Date): Date => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const time =
    count === undefined
      ? new Date(text)
      : new Date(now.getTime() - Number(count) * unitMs[unit as keyof typeof unitMs]);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UserError(`--since is "${text}" and must be like 30m, 2h, 3d or 2026-11-22T12:00:00Z.`);
};

const cellsOf = (event: PartnerEvent): string[] => [
  event.at?.slice(0, 19).replace('T', ' ') ?? '-',
  event.type,
  event.state,
  event.reason ?? '-',
  event.transaction ?? '-',
  `${event.fromVersion} → ${event.toVersion ?? ''}`,
  event.id ?? '-',
];

const replay = async (
  context: CommandContext,
  { since, failed }: { since?: string; failed?: true },
): Promise<CommandResult> => {
  if ((since === undefined) === (failed === undefined))
    throw new UserError('Name a time by --since, or what failed by --failed.');
  const what =
    since === undefined ? ({ state: 'failed' } as const) : { since: timeOf(since, context.deps.now()) };
  const { data } = await clientOf(context).events.replay(what);
  const text = data.since === null ? 'What failed' : `Everything since ${data.since}`;
  return { text: `${text} is sent again.\n`, json: data };
};
