import { type Delivery, isOfChain } from '../domain/event/delivery.ts';
import { isDeletedAfter, type VersionRange } from '../domain/event/event.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { DeliveryLogStore } from '../store/debounce/delivery-log-store.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import { endSuperseded, type MakeDueDeps, makeDue } from './make-due.ts';

/** What sending again works with. It makes rows due, and nothing else: the sender makes and sends their events (EV-12). */
export type SendAgainDeps = MakeDueDeps & {
  deliveryLog: Pick<DeliveryLogStore, 'delivery'>;
  transactions: Pick<TransactionReader, 'byUuid'>;
};

/** `underway`: it is on its way already. `expired`: its message is not kept any more. */
export type SendOutcome = 'scheduled' | 'underway' | 'expired';

/** What became of a delivery, and the others whose versions its event covers, too. */
export type SentAgain = { outcome: SendOutcome; delivery: Delivery; covers: Delivery[] };

/** The delivery that is due of each transaction, by uuid: what is found later of the transaction goes with it. */
export type Leaders = Map<string, Delivery>;

const groupsAtOnce = 10;

/**
 * Sends deliveries of one partner again: of the updates of a transaction the earliest is made due, and the sender turns it
 * into one event up to the present version. Completions and tests stand for themselves. Where `onFault` hears of a fault of one
 * transaction, the rest is sent all the same.
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

/** A standalone replay that is under way comes here, too: it leaves as was promised, beside the others. */
const sendAsStored = async (delivery: Delivery, deps: MakeDueDeps): Promise<SentAgain[]> => [
  { outcome: await outcomeOf(delivery, deps), delivery, covers: [] },
];

/**
 * Makes one due at once. What was undelivered when it was read, and is in another state by now, was sent by somebody else:
 * it is not sent a second time (I7).
 */
const outcomeOf = async (delivery: Delivery, deps: MakeDueDeps): Promise<SendOutcome> => {
  if (delivery.state === 'READY') return 'underway';
  const isDue = await makeDue(delivery, deps, isUndelivered(delivery) ? { from: [delivery.state] } : {});
  return isDue ? 'scheduled' : 'underway';
};

type ChainDeps = { leaders: Leaders; deps: SendAgainDeps };

/** What is from before a deletion is due by itself, so that the sender withholds nothing else with it (DEL-1). */
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

/** The earliest is due before the others end: a process that dies in between loses nothing (I1). */
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

/** What was sent since it was read, or is a standalone replay by now, does not cover the others: the next earliest leads. */
const isLeading = async (delivery: Delivery, { deliveryLog }: SendAgainDeps): Promise<boolean> => {
  const now = await deliveryLog.delivery(delivery);
  return now?.state === 'READY' && isOfChain(now);
};

/**
 * Ends the undelivered others, but one that includes the versions of the leader: the sender may have made that event of the
 * leader by now.
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

/** What was kept or given up. What was accepted or delivered keeps its state: the delivery log says what happened (TH-23). */
const isUndelivered = ({ state }: Delivery) => state === 'HELD' || state === 'DEAD';

const includes = (outer: VersionRange, inner: VersionRange) =>
  outer.from <= inner.from && outer.to >= inner.to;
