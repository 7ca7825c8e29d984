import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { SentCounts } from '../../../functions/shared/replay/partner-walk.ts';
import type { StandaloneReplay } from '../../../functions/shared/replay/standalone.ts';
import { type DeliveryView, timelineOf } from '../events/deliveries.ts';
import { deliveryStatusOf } from '../events/delivery-status.ts';
import { statusText, versionsText } from './explain.ts';
import { factsOf, tableOf } from './table.ts';
import { durationText, stampText } from './time.ts';

/** The table of `events list`. */
export const deliveryListText = (deliveries: readonly DeliveryView[], isMore: boolean) => {
  if (deliveries.length === 0) return 'There is no such event.\n';
  const rows = deliveries.map((delivery) => [
    delivery.claimedAt.slice(0, 19).replace('T', ' '),
    delivery.partner,
    delivery.type.replace('Transaction', ''),
    `${delivery.uuid}\n${delivery.eventId}`,
    versionsText(delivery),
    stateText(delivery),
  ]);
  const more = isMore ? 'There are more: narrow the list, or raise --limit.\n' : '';
  return `${tableOf(['claimed (UTC)', 'partner', 'type', 'transaction, event', 'of', 'state'], rows)}${more}`;
};

const stateText = ({ state, reason, code, dueAt }: DeliveryView) => {
  if (code === 'NO_FAILURE_REPORTED') return `${state}\nno failure reported`;
  const due = dueAt === null ? [] : [`due ${dueAt.slice(0, 19).replace('T', ' ')}`];
  return [reason === null ? state : `${state} ${reason}`, ...due].join('\n');
};

/** The facts of one event. */
export const eventText = (event: TransactionEvent, hashes: { plain: string; tokens?: string } | undefined) =>
  factsOf([
    ['event', event.eventId],
    ['type', event.type],
    ['transaction', event.uuid],
    ['covers', versionsText(event)],
    ['elements', event.elements.join(', ') || 'none: only ndMeta, uuid and status'],
    ...(event.omitted.length > 0
      ? ([['left out', `${event.omitted.join(', ')} (too large)`]] as [string, string][])
      : []),
    ['changed', `${stampText(event.changedAtMs)} UTC`],
    ['claimed', `${stampText(event.claimedAtMs)} UTC`],
    ['body', hashes === undefined ? 'not kept' : `SHA-256 ${hashes.plain}`],
    ...(hashes?.tokens === undefined
      ? []
      : ([['with tokens', `SHA-256 ${hashes.tokens}`]] as [string, string][])),
  ]);

/** One delivery: its status and its timeline. */
export const deliveryText = (
  delivery: Delivery,
  about: { partner: string; changedAtMs: number; nowMs: number; dormancyMs: number },
) => {
  const { eventId, type, from, to, claimedAtMs } = delivery;
  const event = { eventId, type, from, to, claimedAtMs, changedAtMs: about.changedAtMs };
  const rows = timelineOf(delivery, about.dormancyMs).map(({ atMs, step, note = '' }) => [
    stampText(atMs),
    sinceText(atMs - about.changedAtMs),
    step,
    note,
  ]);
  const status = statusText(deliveryStatusOf(delivery, event, about.nowMs), {
    ...about,
    uuid: delivery.uuid,
  });
  return `\n${about.partner} (${delivery.clientId}): ${status}.\n${tableOf(['time (UTC)', 'after the change', 'step', 'note'], rows)}`;
};

const sinceText = (durationMs: number) => (durationMs <= 0 ? '' : `+ ${durationText(durationMs)}`);

/** The table of a standalone replay, done or planned. */
export const standaloneText = (
  replayed: readonly StandaloneReplay[],
  { names, dryRun }: { names: ReadonlyMap<string, string>; dryRun: boolean },
) => {
  if (replayed.length === 0) return nothingToSend;
  const rows = replayed.map(({ outcome, delivery }) => [
    names.get(delivery.clientId) ?? delivery.clientId,
    delivery.type.replace('Transaction', ''),
    `${delivery.uuid}\n${delivery.eventId}`,
    versionsText(delivery),
    outcomeTexts[outcome],
  ]);
  const older = replayed.flatMap((replay) => olderText(replay, names) ?? []).join('');
  return `${tableOf(['partner', 'type', 'transaction, event', 'of', 'action'], rows)}${older}${endText(dryRun)}`;
};

const outcomeTexts = {
  scheduled: 'sent again',
  underway: 'already under way',
  expired: 'not sent: its body has expired',
} as const satisfies Record<StandaloneReplay['outcome'], string>;

/** Warns of older values after newer ones, which only a standalone replay can send (EV-12). */
const olderText = (
  { delivery: { clientId, to }, newerVersion }: StandaloneReplay,
  names: ReadonlyMap<string, string>,
) => {
  if (newerVersion === null) return undefined;
  const partner = names.get(clientId) ?? clientId;
  return (
    `"${partner}" was sent version ${newerVersion} since: this event arrives after it, with the older values of version ${to}. ` +
    `"events replay --partner ${partner} --since <time>" sends one event with the present values instead.\n`
  );
};

/** The result of a replay since a time, done or planned. */
export const sentSinceText = ({ transactions, asStored }: SentCounts, dryRun: boolean) => {
  if (transactions + asStored === 0) return nothingToSend;
  return `Transactions: ${transactions}, one event for each. Completions: ${asStored}, each with its stored body.\n${endText(dryRun)}`;
};

const nothingToSend = 'There is nothing to send.\n';

const endText = (dryRun: boolean) =>
  dryRun
    ? 'Nothing was changed (--dry-run).\n'
    : 'The next tick sends them: "events show <event>" shows the result of one.\n';
