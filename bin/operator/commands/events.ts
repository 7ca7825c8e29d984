import type { Command } from 'commander';
import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
} from '../../../functions/shared/domain/event/delivery.ts';
import { type EventType, eventTypes } from '../../../functions/shared/domain/event/event.ts';
import { readLimit } from '../arguments.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import {
  type DeliveryFilter,
  deliveriesBy,
  findRecipient,
  partnerNames,
  toDeliveryView,
} from '../events/deliveries.ts';
import { deliveryListText } from '../output/events.ts';
import { readTime } from '../output/time.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { addReplayCommand } from './events-replay.ts';
import { addShowCommand } from './events-show.ts';

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
  const events = program.command('events').description('Events to partners: list, show, replay');
  events
    .command('list')
    .description('List events to partners, newest first')
    .option('--partner <name>', 'only this partner, by name or client ID')
    .option('--transaction <uuid>', 'only this transaction')
    .option('--state <state>', deliveryStates.join(', '))
    .option('--type <type>', eventTypes.join(' or '))
    .option('--since <time>', 'claimed at this time or later: 2026-11-21T12:00:00Z, or 30m, 2h, 3d ago')
    .option('--until <time>', 'claimed before this time')
    .option('--limit <number>', 'maximum number, up to 1000', '50')
    .addHelpText('after', listHelp)
    .action(run((context, options: ListEventsOptions) => list(context, options)));
  addShowCommand(events, run);
  addReplayCommand(events, run);
};

/** `events …`: the delivery log, and replays (TH-23). */
export const eventsCommands: CommandGroup = {
  add: addEventsCommands,
  rights: {
    Debounce: ['BatchGetItem', 'Query', 'UpdateItem'],
    'Debounce/index/byPartner': ['Query'],
    'Debounce/index/byTransaction': ['Query'],
    'Partners/PARTNER#*': ['BatchGetItem', 'GetItem'],
    'Partners/PARTNERS': ['GetItem', 'Query'],
    Transactions: ['GetItem'],
  },
};

const listHelp = `
READY: will be sent. HELD: the partner is paused. ACCEPTED: EventBridge has the event and tries for up to
24 hours. DELIVERED: the endpoint answered 2xx (known on the local stage only). DEAD: EventBridge gave up; a time beside it is
that of the next try. SUPPRESSED: not sent, for the reason beside it.

Examples:
  events list --state DEAD
  events list --partner acme --since 2h
  events list --transaction 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2 --json`;

const list = async (context: CommandContext, options: ListEventsOptions): Promise<CommandResult> => {
  const limit = readLimit(options.limit);
  const filter = await readFilter(options, context);
  const found: Delivery[] = [];
  for await (const delivery of deliveriesBy(filter, context.deps)) {
    found.push(delivery);
    if (found.length > limit) break;
  }
  const names = await partnerNames(context.deps);
  const nowMs = context.deps.now().getTime();
  const views = found.slice(0, limit).map((delivery) => toDeliveryView(delivery, names, nowMs));
  return { json: views, text: deliveryListText(views, found.length > limit) };
};

const readFilter = async (options: ListEventsOptions, { deps }: CommandContext): Promise<DeliveryFilter> => {
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

const readState = (text: string): DeliveryState => {
  const state = deliveryStates.find((known) => known === text.toUpperCase());
  if (state) return state;
  throw new UserError(`--state is one of ${deliveryStates.join(', ')}.`);
};

const readType = (text: string): EventType => {
  const type = eventTypes.find((known) => known.toLowerCase() === text.toLowerCase());
  if (type) return type;
  throw new UserError(`--type is ${eventTypes.join(' or ')}.`);
};
