import { type Delivery, isOfChain } from '../domain/event/delivery.ts';
import { isDeletedAfter, type VersionRange } from '../domain/event/event.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { DeliveryLogStore } from '../store/debounce/delivery-log-store.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import { endSuperseded, type MakeDueDeps, makeDue } from './make-due.ts';

/** Dependencies of a replay. It only makes rows due; the sender makes and sends the events (EV-12). */
export type SendAgainDeps = MakeDueDeps & {
  deliveryLog: Pick<DeliveryLogStore, 'delivery'>;
  transactions: Pick<TransactionReader, 'byUuid'>;
};

/** `underway`: it is already being sent. `expired`: its message is no longer stored. */
export type SendOutcome = 'scheduled' | 'underway' | 'expired';

/** The outcome for a delivery, and other deliveries that its event covers. */
export type SentAgain = { outcome: SendOutcome; delivery: Delivery; covers: Delivery[] };

/** The due delivery of each transaction, by uuid. Later deliveries of the transaction join it. */
export type Leaders = Map<string, Delivery>;

const groupsAtOnce = 10;

/**
 * Replays deliveries of one partner. Of a transaction's updates the earliest is made due, and the sender folds them into one
 * event up to the present version. Completions and tests are replayed one by one. With `onFault`, a fault of one transaction
 * does not stop the others.
 */
export const sendAgain = async (
  deliveries: readonly Delivery[],
  deps: SendAgainDeps,
  leaders: Leaders = new Map(),
  onFault: (fault: unknown) => void = rethrow,
): Promise<SentAgain[]> => {
  const asStored = deliveries.filter((one) => !isOfChain(one));
  const chains = [...Map.groupBy(deliveries.filter(isOfChain), ({ uuid }) => uuid)];
  const work = [
    ...asStored.map((one) => () => sendAsStored(one, deps)),
    ...chains.map(
      ([uuid, chain]) =>
        () =>
          sendChain(uuid, chain, { leaders, deps }),
    ),
  ];
  const sent: SentAgain[] = [];
  for (const some of chunksOf(work, groupsAtOnce)) {
    const parts = some.map((one) =>
      one().catch((fault): SentAgain[] => {
        onFault(fault);
        return [];
      }),
    );
    sent.push(...(await Promise.all(parts)).flat());
  }
  return sent;
};

const rethrow = (fault: unknown) => {
  throw fault;
};

/** A standalone replay that is under way is sent as promised, beside the others. */
const sendAsStored = async (delivery: Delivery, deps: MakeDueDeps): Promise<SentAgain[]> => [
  { outcome: await outcomeOf(delivery, deps), delivery, covers: [] },
];

/**
 * Makes one due. If an undelivered delivery has changed since it was read, somebody else sent it, and it is not sent twice
 * (I7).
 */
const outcomeOf = async (delivery: Delivery, deps: MakeDueDeps): Promise<SendOutcome> => {
  if (delivery.state === 'READY') return 'underway';
  const isDue = await makeDue(delivery, deps, isUndelivered(delivery) ? { from: [delivery.state] } : {});
  return isDue ? 'scheduled' : 'underway';
};

type ChainDeps = { leaders: Leaders; deps: SendAgainDeps };

/** An event from before a deletion is due alone, so that the sender withholds nothing else with it (DEL-1). */
const sendChain = async (
  uuid: string,
  asked: readonly Delivery[],
  { leaders, deps }: ChainDeps,
): Promise<SentAgain[]> => {
  const stored = await deps.transactions.byUuid(uuid);
  const { deleted = [], chain = [] } = Object.groupBy(asked, (one) =>
    isDeletedAfter(one, stored) ? 'deleted' : 'chain',
  );
  for (const one of deleted.filter(isUndelivered)) await makeDue(one, deps);
  return sendEarliest(chain, { leaders, deps });
};

/** The earliest is made due before the others end, so that a process that dies in between loses nothing (I1). */
const sendEarliest = async (
  chain: readonly Delivery[],
  { leaders, deps }: ChainDeps,
): Promise<SentAgain[]> => {
  const [earliest] = chain.toSorted((one, other) => one.from - other.from || other.to - one.to);
  if (!earliest) return [];
  const known = leaders.get(earliest.uuid);
  if (known && known.from <= earliest.from) return endBeside(known, 'underway', { chain, deps });
  const outcome = await outcomeOf(earliest, deps);
  if (outcome === 'underway' && !(await isLeading(earliest, deps))) {
    const others = chain.filter((one) => one !== earliest);
    return [{ outcome, delivery: earliest, covers: [] }, ...(await sendEarliest(others, { leaders, deps }))];
  }
  leaders.set(earliest.uuid, { ...earliest, timeline: [] });
  return endBeside(earliest, outcome, { chain, deps });
};

/** A delivery that was sent since, or became a standalone replay, does not cover the others: the next earliest leads. */
const isLeading = async (delivery: Delivery, { deliveryLog }: SendAgainDeps): Promise<boolean> => {
  const now = await deliveryLog.delivery(delivery);
  return now?.state === 'READY' && isOfChain(now);
};

/**
 * Ends the undelivered others, except one that includes the leader's versions: the sender may have made that event of the
 * leader.
 */
const endBeside = async (
  leader: Delivery,
  outcome: SendOutcome,
  { chain, deps }: { chain: readonly Delivery[]; deps: SendAgainDeps },
): Promise<SentAgain[]> => {
  for (const one of chain.filter((one) => isUndelivered(one) && !includes(one, leader)))
    await endSuperseded(one, leader.eventId, deps);
  const covers = chain.filter(({ eventId }) => eventId !== leader.eventId);
  return [{ outcome, delivery: leader, covers }];
};

/** Kept or given up. Accepted and delivered ones keep their state, because the delivery log shows what happened (TH-23). */
const isUndelivered = ({ state }: Delivery) => state === 'HELD' || state === 'DEAD';

const includes = (outer: VersionRange, inner: VersionRange) =>
  outer.from <= inner.from && outer.to >= inner.to;
