import type { Command } from 'commander';
import type { EventFilter, EventsClient } from '../client/events.ts';
import { eventTypes } from '../event-types.ts';
import type { PartnerEvent, PartnerEventDetail, Replay, ReplayedEvent } from '../types.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { columns, recordText } from './terminal.ts';
import { UserError } from './user-error.ts';

type ListOptions = { type?: string; state?: string; transaction?: string; since?: string; all?: boolean };

/** `events`: lists, shows and replays events. */
export const addEventsCommands = (program: Command, run: RunCommand): void => {
  const events = program
    .command('events')
    .description('List the events of the last 30 days, and the result of each.');
  events
    .command('list')
    .description('List events, newest first.')
    .option('--type <type>', eventTypes.join(', '))
    .option('--state <state>', 'delivered, failed, retrying, …')
    .option('--transaction <uuid>', 'of this transaction')
    .option('--since <when>', '2h, 3d, or 2026-11-22T12:00:00Z')
    .option('--all', 'all pages')
    .addHelpText('after', listExamples)
    .action(run(list));
  events
    .command('show')
    .description('Show one event: the result, and its message.')
    .argument('<id>')
    .addHelpText(
      'after',
      '\nExample:\n  transactions-partner events show 0c9b3f5e-3c77-5a55-9d7b-0d6a2e3a4a10',
    )
    .action(run(show));
  events
    .command('replay')
    .description('Replay one event, or all events since a time.')
    .argument('[id]')
    .option('--since <when>', '2h, 3d, or a time')
    .addHelpText('after', replayExamples)
    .action(run(replay));
};

const listExamples = `
Examples:
  transactions-partner events list --since 2h
  transactions-partner events list --state failed --all --json`;

const replayExamples = `
Examples:
  transactions-partner events replay 0c9b3f5e-3c77-5a55-9d7b-0d6a2e3a4a10
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

const cellsOf = ({
  createdAt,
  type,
  state,
  transaction,
  fromVersion,
  toVersion,
  id,
}: PartnerEvent): string[] => [
  createdAt.slice(0, 19).replace('T', ' '),
  type,
  state,
  transaction ?? '-',
  `${fromVersion} → ${toVersion}`,
  id,
];

const show = async (context: CommandContext, _options: object, id: string): Promise<CommandResult> => {
  if (id === '') throw new UserError('Name an event by its id: events list shows the ids.');
  const { data } = await clientOf(context).events.retrieve(id);
  return { text: textOf(data), json: data };
};

const textOf = (event: PartnerEventDetail): string =>
  [
    columns([cellsOf(event)]),
    `${event.meaning}\n\n`,
    columns(
      event.timeline.map(({ at, step, note }) => [at.slice(0, 19).replace('T', ' '), step, note ?? '']),
    ),
    event.message ? `\n${recordText(event.message)}` : '\nIts message is not kept.\n',
  ].join('');

const replay = async (
  context: CommandContext,
  { since }: { since?: string },
  id: string | undefined,
): Promise<CommandResult> => {
  if ((id === undefined) === (since === undefined))
    throw new UserError('Name one event by its id, or a time by --since: events list shows the ids.');
  const { events } = clientOf(context);
  const data =
    id === undefined
      ? await scheduledSince(events, timeOf(since ?? '', context.deps.now()))
      : (await events.replay(id)).data;
  return { text: replayText(data.data), json: data };
};

const replayText = (events: readonly ReplayedEvent[]): string =>
  events.length === 0
    ? 'Nothing is sent again: there is no event since that time.\n'
    : columns(
        events.map(({ outcome, type, transaction, fromVersion, toVersion, id, newerVersion }) => [
          ...[outcome, type, transaction ?? '-', `${fromVersion} → ${toVersion}`, id],
          newerVersion === null ? '' : `version ${newerVersion} was sent already`,
        ]),
      );

const scheduledSince = async (events: EventsClient, since: Date | string): Promise<Pick<Replay, 'data'>> => {
  const data: ReplayedEvent[] = [];
  for await (const event of events.replayAll({ since })) data.push(event);
  return { data };
};
