import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { WantedEndpoint } from '../shared/domain/endpoint.ts';
import { endpointWishOf } from '../shared/domain/endpoint-wish.ts';
import {
  type Delivery,
  type DeliveryReason,
  deadReasonOf,
  isFailure,
  isUndone,
  redriveAtMs,
} from '../shared/domain/event/delivery.ts';
import type { Partner } from '../shared/domain/partner.ts';
import type { EndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { type BatchAnswer, workOnEach } from '../shared/runtime/record-batch.ts';
import type { DeliveryLogStore } from '../shared/store/debounce/delivery-log-store.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';

export type Deps = {
  deliveryLog: Pick<DeliveryLogStore, 'delivery' | 'move'>;
  partners: PartnerLookup;
  /** Asks for a check of the endpoint at which a delivery died. */
  endpointRequests: EndpointRequests;
  clock: Clock;
  log: Log;
  report: Report;
};

/** Ends the delivery of each dead letter, and schedules its redrive if there is one. */
export const createHandler =
  (deps: Deps) =>
  async (event: SQSEvent): Promise<BatchAnswer> => {
    let deadLetters = 0;
    const failing = new Set<string>();
    const collect = async (record: SQSRecord) => {
      const read = readDeadLetter(record);
      // The letter may be all that is left of an event, so it stays for a person.
      if (!read.ok) throw new Error('A dead letter is not an event of this bus');
      if (!(await endDelivery(read.value, deps))) return;
      deadLetters += 1;
      if (isFailure(deadReasonOf(read.value.fault))) failing.add(read.value.key.clientId);
    };
    const answer = await workOnEach('SQS', event, { work: collect, log: deps.log });
    deps.report({ deadLetters });
    await askForChecks([...failing], deps);
    return answer;
  };

/** Does not throw: the letters of this batch are collected, and the next dead letter asks for the check again. */
const askForChecks = async (clientIds: readonly string[], { endpointRequests, log }: Deps): Promise<void> => {
  try {
    await endpointRequests.send(clientIds.map((clientId) => ({ clientId, isUndelivered: true })));
  } catch (fault) {
    log('checkNotAsked', {}, fault);
  }
};

/**
 * Returns whether this letter ended a delivery. If the delivery changed since it was read, for example because its
 * acceptance was recorded, it is read again.
 */
const endDelivery = async (letter: DeadLetter, deps: Deps): Promise<boolean> => {
  const delivery = await deps.deliveryLog.delivery(letter.key);
  if (!delivery) deps.log('deadLetterUnknown', letter.key);
  if (!delivery || !isOpen(delivery) || !isOfThisSending(delivery, letter)) return false;
  const end = endOf(delivery, letter);
  return (await end(delivery, letter, deps)) || endDelivery(letter, deps);
};

/** A letter may arrive before the acceptance of its sending is recorded. The delivery is then still READY. */
const isOpen = ({ state }: Delivery) => state === 'READY' || state === 'ACCEPTED';

/** A letter ends only its own sending. A READY delivery still has the ids of its earlier sendings. */
const isOfThisSending = ({ state, busEventId, timeline }: Delivery, letter: DeadLetter) =>
  state === 'READY'
    ? ![busEventId, ...timeline.map((entry) => entry.busEventId)].includes(letter.busEventId)
    : busEventId === undefined || busEventId === letter.busEventId;

const endOf = (delivery: Delivery, { fault }: DeadLetter): EndDelivery => {
  // An undone delivery that is READY was replayed by a person since.
  if (delivery.state === 'ACCEPTED' && isUndone(delivery)) return suppress('UNDONE');
  return isFailure(deadReasonOf(fault)) ? markDead : endWithoutTarget;
};

type EndDelivery = (delivery: Delivery, letter: DeadLetter, deps: Deps) => Promise<boolean>;

/**
 * The bus gives up deliveries whose target was removed. The partner's record says what becomes of them: kept while it
 * is paused, ended where it has no endpoint, tried again where the target is back (EV-13).
 */
const endWithoutTarget: EndDelivery = async (delivery, letter, deps) => {
  const { clientId } = letter.key;
  const partner = (await deps.partners.byClientIds([clientId])).get(clientId);
  // The directory reports a stop of all webhooks as a pause.
  return endAs[endpointWishOf(partner, false).wanted](partner)(delivery, letter, deps);
};

const noteOfLetter = ({ fault, retries }: DeadLetter) => noteOf(deadReasonOf(fault), fault, retries);

const keep: EndDelivery = (delivery, letter, { deliveryLog, clock }) => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'held', note: noteOfLetter(letter), busEventId: letter.busEventId } as const;
  return deliveryLog.move({ ...letter.key, ...asRead(delivery), to: 'HELD', atMs, entry });
};

const suppress =
  (reason: DeliveryReason): EndDelivery =>
  (delivery, letter, { deliveryLog, clock }) => {
    const atMs = clock().getTime();
    const { busEventId } = letter;
    const entry = {
      atMs,
      step: 'suppressed',
      note: `${reason}: ${noteOfLetter(letter)}`,
      busEventId,
    } as const;
    return deliveryLog.move({ ...letter.key, ...asRead(delivery), to: 'SUPPRESSED', atMs, entry, reason });
  };

const markDead: EndDelivery = async (
  delivery,
  { key, busEventId, fault, retries },
  { deliveryLog, clock, log },
) => {
  const atMs = clock().getTime();
  const reason = deadReasonOf(fault);
  const dueAtMs = redriveAtMs(reason, delivery, atMs);
  const isMarked = await deliveryLog.move({
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

const endAs: Record<WantedEndpoint, (partner: Partner | undefined) => EndDelivery> = {
  on: () => markDead,
  kept: () => keep,
  none: (partner) => suppress(partner?.enabled ? 'NO_ENDPOINT' : 'DISABLED'),
};

/** The state alone may already be that of a later sending. */
const asRead = (delivery: Delivery) => ({ from: [delivery.state], seen: delivery });

/** `EXHAUSTED: HTTP_503 after 185 retries` */
const noteOf = (reason: string, fault: DeadLetter['fault'], retries: number) => {
  const last = fault.isExhausted ? deadReasonOf({ ...fault, isExhausted: false }) : reason;
  const what = last === reason ? reason : `${reason}: ${last}`;
  return retries > 0 ? `${what} after ${retries} retries` : what;
};
