import type { Delivery, DeliveryReason } from '../shared/domain/event/delivery.ts';

/** The states of an event on its way to the partner, in public terms, each with its meaning. */
const meanings = {
  waiting: 'It is about to be sent.',
  held: 'It is kept until your webhook is resumed, and then sent.',
  sent: 'It is on its way to your endpoint, with retries for up to 24 hours. A failure would be shown here.',
  delivered: 'Your endpoint accepted it.',
  retrying: 'Your endpoint did not accept it. The next try is at nextAttemptAt.',
  failed: 'Your endpoint did not accept it, and there are no more tries. Replay it.',
  withheld: 'It was not sent.',
} as const;

export type EventState = keyof typeof meanings;
export const eventStates = Object.keys(meanings) as EventState[];
export const isEventState = (text: string): text is EventState => Object.hasOwn(meanings, text);

export const eventStateOf = ({ state, dueAtMs }: Pick<Delivery, 'state' | 'dueAtMs'>): EventState => {
  switch (state) {
    case 'READY':
      return 'waiting';
    case 'HELD':
      return 'held';
    case 'ACCEPTED':
      return 'sent';
    case 'DELIVERED':
      return 'delivered';
    case 'DEAD':
      return dueAtMs === undefined ? 'failed' : 'retrying';
    case 'SUPPRESSED':
      return 'withheld';
    default:
      return state satisfies never;
  }
};

/** The state, and its reason if there is one, as a sentence. */
export const meaningOf = (delivery: Pick<Delivery, 'state' | 'dueAtMs' | 'reason'>): string => {
  const why = delivery.reason === undefined ? undefined : sentenceOf(delivery.reason);
  const what = meanings[eventStateOf(delivery)];
  return why === undefined ? what : `${what} ${why}`;
};

const sentences: Record<string, string> = {
  DISABLED: 'Your access was disabled then.',
  NO_ENDPOINT: 'You had no webhook then.',
  MAY_NOT_READ: 'You lacked nop2/read then.',
  OUT_OF_SCOPE: 'The transaction was outside your grants then.',
  DELETED: 'The transaction was deleted by then.',
  COALESCED: 'A later event covers it.',
  EXPIRED: 'Its message is no longer kept.',
  UNDONE: 'The transaction is no longer complete.',
  TARGET_REMOVED: 'Your webhook was removed meanwhile.',
  EXHAUSTED: 'It was tried for 24 hours.',
  TIMEOUT: 'Your endpoint did not answer within 5 seconds.',
  DNS: 'Your endpoint could not be reached.',
};

/** What happens between us and the bus is not shown to partners. */
const sentenceOf = (reason: DeliveryReason): string | undefined => {
  const [, status] = /^HTTP_(\d{3})$/.exec(reason) ?? [];
  return status === undefined ? sentences[reason] : `Your endpoint answered ${status}.`;
};

/** A reason in public terms, which stay the same. Only reasons that concern the partner. */
export const reasonOf = (reason: DeliveryReason | undefined): string | null =>
  reason === undefined ? null : sentenceOf(reason) === undefined ? 'OTHER' : reason;
