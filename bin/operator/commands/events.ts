import type { Command } from 'commander';
import { type EventType, eventTypes } from '../../../functions/shared/domain/event/event.ts';
import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { newPass } from '../../../functions/shared/events/passes.ts';
import {
  type EventState,
  eventStates,
  type ShownEvent,
  stateMeanings,
} from '../../../functions/shared/events/states.ts';
import { randomText } from '../../../functions/shared/runtime/random-text.ts';
import { readLimit } from '../arguments.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { type EventFilter, findRecipient, shownEvents } from '../events/shown.ts';
import { eventListText } from '../output/events.ts';
import { readTime } from '../output/time.ts';
import { findPartner } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

type ListEventsOptions = {
  partner?: string;
  transaction?: string;
  state?: string;
  type?: string;
  since?: string;
  until?: string;
  limit: string;
};

const addEventsCommands = (program: Command, run: RunCommand) => {
  const events = program.command('events').description('Events to partners: list, resend');
  events
    .command('list')
    .description('List what was sent to partners, newest first, or what waits')
    .option('--partner <name>', 'only this partner, by name or client ID')
    .option('--transaction <uuid>', 'only this transaction')
    .option('--state <state>', eventStates.join(', '))
    .option('--type <type>', eventTypes.join(' or '))
    .option('--since <time>', 'at this time or later: 2026-11-21T12:00:00Z, or 30m, 2h, 3d ago')
    .option('--until <time>', 'before this time')
    .option('--limit <number>', 'maximum number, up to 1000', '50')
    .addHelpText('after', listHelp)
    .action(run((context, options: ListEventsOptions) => list(context, options)));
  events
    .command('resend <partner> [uuid]')
    .description('Send a partner again what it was sent, or what failed')
    .option('--since <time>', 'what was sent since: 2026-11-21T12:00:00Z, or 30m, 2h, 3d ago')
    .addHelpText('after', resendHelp)
    .action(
      run((context, options: ResendOptions, partner, uuid: string | undefined) =>
        resend(context, { ...options, partner, uuid }),
      ),
    );
};

/** `events …`: the log of what was sent, and sending again. */
export const eventsCommands: CommandGroup = {
  add: addEventsCommands,
  rights: {
    Debounce: ['PutItem', 'Query'],
    'Partners/PARTNER#*': ['BatchGetItem', 'GetItem'],
    'Partners/PARTNERS': ['GetItem', 'Query'],
  },
};

const listHelp = `
Without --state, the log of 30 days is listed: a line for each sending and for each failure.
${eventStates.map((state) => `  ${state.padEnd(9)} ${stateMeanings[state]}`).join('\n')}

Examples:
  events list --state failed
  events list --partner acme --since 2h
  events list --partner acme --state waiting
  events list --transaction 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2 --json`;

const resendHelp = `
With a uuid or --since, everything that the partner was sent of it is sent again: one event for each transaction, with its
present values, and its completion. Without them, everything that failed or waits is sent. The service works it off, some
hundred transactions a second. "partner show" says whether the partner is paused or disabled.

Examples:
  events resend acme
  events resend acme 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2
  events resend acme --since 3h`;

const list = async (context: CommandContext, options: ListEventsOptions): Promise<CommandResult> => {
  const limit = readLimit(options.limit);
  const filter = await readFilter(options, context);
  const found: ShownEvent[] = [];
  for await (const event of shownEvents(filter, context.deps)) {
    found.push(event);
    if (found.length > limit) break;
  }
  const all = await context.deps.partners.all();
  const nameOf = new Map(all.map(({ clientId, name }) => [clientId, name]));
  const views = found.slice(0, limit).map(({ atMs, ...event }) => ({
    ...event,
    partner: nameOf.get(event.clientId) ?? event.clientId,
    at: atMs === undefined ? null : new Date(atMs).toISOString(),
  }));
  return { json: views, text: eventListText(views, found.length > limit) };
};

const readFilter = async (options: ListEventsOptions, { deps }: CommandContext): Promise<EventFilter> => {
  const { partner, transaction, state, type, since, until } = options;
  return {
    ...(partner !== undefined && {
      clientId: valueOrUserError(await findRecipient(partner, deps), partner).clientId,
    }),
    ...(transaction !== undefined && { uuid: transaction }),
    ...(state !== undefined && { state: readState(state) }),
    ...(type !== undefined && { type: readType(type) }),
    ...(since !== undefined && { sinceMs: readTime('--since', since, deps.now()) }),
    ...(until !== undefined && { untilMs: readTime('--until', until, deps.now()) }),
  };
};

const readState = (text: string): EventState => {
  const state = eventStates.find((known) => known === text.toLowerCase());
  if (state) return state;
  throw new UserError(`--state is one of ${eventStates.join(', ')}.`);
};

const readType = (text: string): EventType => {
  const type = eventTypes.find((known) => known.toLowerCase() === text.toLowerCase());
  if (type) return type;
  throw new UserError(`--type is ${eventTypes.join(' or ')}.`);
};

type ResendOptions = { since?: string };

/** Puts a pass, which the sender works off. */
const resend = async (
  context: CommandContext,
  { partner: name, uuid, since }: ResendOptions & { partner: string; uuid: string | undefined },
): Promise<CommandResult> => {
  const { debounce, now, random, events } = context.deps;
  const { clientId, name: called } = valueOrUserError(await findPartner(name, context.deps), name);
  const sinceMs = since === undefined ? undefined : readTime('--since', since, now());
  const facts = {
    ...(uuid !== undefined && { uuid }),
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
  };
  await context.record('events resend', { name: called, clientId, ...facts });
  const asked: Parameters<typeof newPass>[0] = {
    clientId,
    does: uuid === undefined && sinceMs === undefined ? 'wake' : 'replay',
    ...(uuid !== undefined && { transaction: uuid }),
    ...(sinceMs !== undefined && { sinceMs }),
  };
  const { leaseMs } = settingsOf(events.dormancyMs);
  await debounce.save(newPass(asked, now().getTime(), { newId: () => randomText(random, 12), leaseMs }));
  return {
    json: { name: called, clientId, ...facts },
    text: `The service sends it to "${called}": "events list --partner ${called} --since 5m" shows the progress.\n`,
  };
};
