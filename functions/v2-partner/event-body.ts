import type { Delivery, StatusEntry, TimelineStep } from '../shared/domain/event/delivery.ts';
import type { EventBodies } from '../shared/domain/event/event.ts';
import type { Visibility } from '../shared/domain/query/projection.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import { eventStateOf, meaningOf, reasonOf } from './event-state.ts';

/** One event as its partner sees it, from an allow list, so that no internal value can appear. */
export const presentDelivery = (delivery: Delivery): JsonObject => ({
  id: delivery.eventId,
  type: delivery.type,
  transaction: delivery.uuid === '' ? null : delivery.uuid,
  fromVersion: delivery.from,
  toVersion: delivery.to,
  createdAt: isoTime(delivery.claimedAtMs),
  state: eventStateOf(delivery),
  reason: reasonOf(delivery.reason),
  meaning: meaningOf(delivery),
  nextAttemptAt: delivery.dueAtMs === undefined ? null : isoTime(delivery.dueAtMs),
});

export const isoTime = (ms: number) => new Date(ms).toISOString();

/** The same with its timeline and the message byte for byte, inserted as text (I6). */
export const presentWhole = (
  delivery: Delivery,
  bodies: EventBodies | undefined,
  visibleTo: Visibility,
): string => {
  const timeline = delivery.timeline.flatMap(presentStep);
  const head = JSON.stringify({ ...presentDelivery(delivery), timeline });
  return `${head.slice(0, -1)},"message":${messageOf(bodies, visibleTo) ?? 'null'}}`;
};

/** The message that the partner would be sent now (SHOW-1). */
const messageOf = (bodies: EventBodies | undefined, { showsPaymentTokens }: Visibility) =>
  showsPaymentTokens ? (bodies?.tokens ?? bodies?.plain) : bodies?.plain;

/** Names of steps in answers. A refusal by the bus is retried by us, and is no step for the partner. */
const steps = {
  changed: 'changed',
  claimed: 'created',
  held: 'held',
  refused: undefined,
  accepted: 'sent',
  attempted: 'attempted',
  delivered: 'delivered',
  dead: 'failed',
  suppressed: 'withheld',
  scheduled: 'scheduled',
  undone: 'taken back',
} as const satisfies Record<TimelineStep, string | undefined>;

/** Every name that a timeline can have. */
export const shownSteps = Object.values(steps).filter((word) => word !== undefined);

/** Notes about the partner's endpoint and about left-out elements. All others are internal. */
const shown: readonly TimelineStep[] = ['claimed', 'attempted', 'delivered'];

const noteOf = ({ step, note }: StatusEntry): string | null => {
  if (note === undefined) return null;
  if (step === 'dead') return failureOf(note);
  return shown.includes(step) ? note : null;
};

/** `EXHAUSTED: HTTP_503 after 185 retries` in the partner's terms, without the bus's own codes. */
const failureOf = (note: string): string => {
  const [codes = '', ...retries] = note.split(' after ');
  return [codes.split(': ').map(reasonOf).join(': '), ...retries].join(' after ');
};

const presentStep = (entry: StatusEntry): JsonObject[] => {
  const word = steps[entry.step];
  return word === undefined ? [] : [{ at: isoTime(entry.atMs), step: word, note: noteOf(entry) }];
};
