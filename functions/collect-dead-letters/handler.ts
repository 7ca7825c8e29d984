import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { type Delivery, deadReasonOf, isRecalled, redriveAtMs } from '../shared/domain/event/delivery.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { type BatchAnswer, workOnEach } from '../shared/runtime/record-batch.ts';
import type { LedgerStore } from '../shared/store/debounce/ledger-store.ts';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';

/** What the handler works with. */
export type Deps = {
  ledger: Pick<LedgerStore, 'delivery' | 'move'>;
  clock: Clock;
  log: Log;
  report: Report;
};

/** Ends the delivery of each dead letter, and schedules it where it is to be tried again. */
export const createHandler =
  (deps: Deps) =>
  async (event: SQSEvent): Promise<BatchAnswer> => {
    let deadLetters = 0;
    const collect = async (record: SQSRecord) => {
      if (await collectOne(record, deps)) deadLetters += 1;
    };
    const answer = await workOnEach('SQS', event, { work: collect, log: deps.log });
    deps.report({ deadLetters });
    return answer;
  };

/** A letter that cannot be read may be all that is left of an event, so it stays for a person. */
const collectOne = async (record: SQSRecord, deps: Deps): Promise<boolean> => {
  const read = readDeadLetter(record);
  if (!read.ok) throw new Error('A dead letter is no event of this bus');
  return endDelivery(read.value, deps);
};

/**
 * Answers whether this letter ended a delivery. A delivery that has changed since it was read is read again: the acceptance of
 * its sending may have been noted. One that the ledger does not know is no better known on a second reading.
 */
const endDelivery = async (letter: DeadLetter, deps: Deps): Promise<boolean> => {
  const delivery = await deps.ledger.delivery(letter.key);
  if (!delivery) deps.log('deadLetterUnknown', letter.key);
  if (!delivery || !isOpen(delivery) || !isOfThisSending(delivery, letter)) return false;
  const end = isTakenBack(delivery) ? endRecalled : markDead;
  return (await end(delivery, letter, deps)) || endDelivery(letter, deps);
};

/** A letter may overtake the note that the bus has accepted its sending: then the delivery is READY. */
const isOpen = ({ state }: Delivery) => state === 'READY' || state === 'ACCEPTED';

/** What was armed again after a recall is READY until its acceptance is noted: that sending nobody took back. */
const isTakenBack = (delivery: Delivery) => delivery.state === 'ACCEPTED' && isRecalled(delivery);

/**
 * A letter of an earlier sending says nothing about a later one: neither about one that the bus has accepted, nor about one
 * that is still to be sent. A READY delivery has the bus's ids of the sendings before, if there were any.
 */
const isOfThisSending = ({ state, busEventId, timeline }: Delivery, letter: DeadLetter) =>
  state === 'READY'
    ? ![busEventId, ...timeline.map((entry) => entry.busEventId)].includes(letter.busEventId)
    : busEventId === undefined || busEventId === letter.busEventId;

/** What a person took back is over, whatever the bus says of it (EV-13). */
const endRecalled = (
  delivery: Delivery,
  { key, fault, retries }: DeadLetter,
  { ledger, clock }: Deps,
): Promise<boolean> => {
  const atMs = clock().getTime();
  const note = `RECALLED: ${noteOf(deadReasonOf(fault), fault, retries)}`;
  const entry = { atMs, step: 'suppressed', note } as const;
  return ledger.move({ ...key, ...asRead(delivery), to: 'SUPPRESSED', atMs, entry, reason: 'RECALLED' });
};

const markDead = async (
  delivery: Delivery,
  { key, busEventId, fault, retries }: DeadLetter,
  { ledger, clock, log }: Deps,
): Promise<boolean> => {
  const atMs = clock().getTime();
  const reason = deadReasonOf(fault);
  const dueAtMs = redriveAtMs(reason, delivery, atMs);
  const isMarked = await ledger.move({
    ...key,
    ...asRead(delivery),
    to: 'DEAD',
    atMs,
    entry: { atMs, step: 'dead', note: noteOf(reason, fault, retries), busEventId },
    reason,
    ...(dueAtMs !== undefined && { dueAtMs }),
  });
  if (isMarked) log('deliveryDead', { ...key, reason });
  return isMarked;
};

/** The state alone may be that of a later sending by now. */
const asRead = (delivery: Delivery) => ({ from: [delivery.state], seen: delivery });

/** `EXHAUSTED: HTTP_503 after 185 retries` */
const noteOf = (reason: string, fault: DeadLetter['fault'], retries: number) => {
  const last = fault.isExhausted ? deadReasonOf({ ...fault, isExhausted: false }) : reason;
  const what = last === reason ? reason : `${reason}: ${last}`;
  return retries > 0 ? `${what} after ${retries} retries` : what;
};
