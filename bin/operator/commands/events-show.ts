import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { DeliveryLogEvent } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { findRecipient, partnerNames, timelineOf, toDeliveryView } from '../events/deliveries.ts';
import { deliveryText, eventText } from '../output/events.ts';
import { valueOrUserError } from '../refusals.ts';

type ShowEventOptions = { partner?: string; body?: boolean };

/** `events show`: one event, and its delivery to each partner. */
export const addShowCommand = (events: Command, run: RunCommand) =>
  events
    .command('show <event>')
    .description('Show an event: the changes it covers, and its delivery to each partner')
    .option('--partner <name>', 'only this partner, by name or client ID')
    .option('--body', 'show the body; it has customer data, so the audit log records this')
    .addHelpText(
      'after',
      `
Examples:
  events show 82798bdc-1481-597d-b485-d6457b82d406
  events show 82798bdc-1481-597d-b485-d6457b82d406 --partner acme --body`,
    )
    .action(run((context, options: ShowEventOptions, eventId) => show(context, options, eventId)));

const show = async (
  context: CommandContext,
  options: ShowEventOptions,
  eventId: string,
): Promise<CommandResult> => {
  const found = await findEvent(eventId, context);
  const deliveries = await deliveriesTo(options.partner, found, context);
  // The body holds customers' data, so showing it is recorded; payment tokens are never shown (SHOW-1).
  const body = options.body === true ? found.bodies?.plain : undefined;
  if (options.body) await context.record('events show', { eventId, body: true });
  const names = await partnerNames(context.deps);
  const { now, events } = context.deps;
  const { dormancyMs } = events;
  const about = { changedAtMs: found.event.changedAtMs, nowMs: now().getTime(), dormancyMs };
  return {
    json: {
      ...toEventView(found),
      deliveries: deliveries.map((delivery) => ({
        ...toDeliveryView(delivery, names, about.nowMs),
        timeline: timelineOf(delivery, about.dormancyMs).map(({ atMs, ...step }) => ({
          at: new Date(atMs).toISOString(),
          afterChangeMs: atMs - about.changedAtMs,
          ...step,
        })),
      })),
      ...(options.body && { body: body ?? null }),
    },
    text: [
      eventText(found.event, hashesOf(found)),
      ...deliveries.map((delivery) =>
        deliveryText(delivery, { ...about, partner: names.get(delivery.clientId) ?? delivery.clientId }),
      ),
      ...(deliveries.length === 0 ? ['\nNo partner was to be notified of it.\n'] : []),
      ...(options.body ? [`\n${body ?? 'The body is not kept.'}\n`] : []),
    ].join(''),
  };
};

/** The event with this id, or a UserError. */
export const findEvent = async (eventId: string, { deps }: CommandContext): Promise<DeliveryLogEvent> => {
  const found = await deps.deliveryLog.event(eventId);
  return valueOrUserError(found ? { ok: true, value: found } : { ok: false, reason: 'no-event' }, eventId);
};

/** All deliveries of an event, or only the one to the named partner. */
export const deliveriesTo = async (
  partner: string | undefined,
  { deliveries }: DeliveryLogEvent,
  { deps }: CommandContext,
): Promise<Delivery[]> => {
  if (partner === undefined) return deliveries;
  const { clientId } = valueOrUserError(await findRecipient(partner, deps), partner);
  const its = deliveries.filter((delivery) => delivery.clientId === clientId);
  return valueOrUserError(
    its.length > 0 ? { ok: true, value: its } : { ok: false, reason: 'no-delivery' },
    partner,
  );
};

/** A partner can compare the bytes that it received by their hash, and the body stays unseen (TH-23). */
const hashesOf = ({ bodies }: DeliveryLogEvent) =>
  bodies && {
    plain: sha256(bodies.plain),
    ...(bodies.tokens !== undefined && { tokens: sha256(bodies.tokens) }),
  };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const toEventView = (found: DeliveryLogEvent) => {
  const { changedAtMs, claimedAtMs, recipients: _, ...event }: TransactionEvent = found.event;
  return {
    ...event,
    changedAt: new Date(changedAtMs).toISOString(),
    claimedAt: new Date(claimedAtMs).toISOString(),
    sha256: hashesOf(found) ?? null,
  };
};
