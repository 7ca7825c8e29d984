import { reasonSentenceOf, type ShownEvent } from '../../../functions/shared/events/states.ts';
import { versionsText } from './explain.ts';
import { tableOf } from './table.ts';

/** An event in a list. */
export type EventView = Omit<ShownEvent, 'atMs'> & { partner: string; at: string | null };

/** The table of `events list`. */
export const eventListText = (events: readonly EventView[], isMore: boolean) => {
  if (events.length === 0) return 'There is no such event.\n';
  const rows = events.map((event) => [
    event.at?.slice(0, 19).replace('T', ' ') ?? '',
    event.partner,
    event.type.replace('Transaction', ''),
    event.eventId === undefined ? event.uuid : `${event.uuid}\n${event.eventId}`,
    versionsText(event),
    [event.state, event.reason, event.reason && reasonSentenceOf(event.reason)].filter(Boolean).join('\n'),
  ]);
  const more = isMore ? 'There are more: narrow the list, or raise --limit.\n' : '';
  return `${tableOf(['time (UTC)', 'partner', 'type', 'transaction, event', 'of', 'state'], rows)}${more}`;
};
