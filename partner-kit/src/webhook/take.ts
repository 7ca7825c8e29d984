import type { TransactionType } from '../event-types.ts';
import type { TransactionCompleted, TransactionUpdated } from '../types.ts';
import type { Change } from './change.ts';
import type { ReadMessage, Versions } from './message.ts';
import { judgeByParts, judgeByReading, type Link, linkOf } from './order.ts';
import type { ReceiverStore, StepRecords } from './store.ts';

/** A message about a transaction, with the values of its headers. */
export type Delivery = ReadMessage & Versions & { readonly type: TransactionType; readonly uuid: string };

/** The result of a message. For `unread` the API must be read first. A message without a transaction is ignored. */
export type Outcome = 'applied' | 'duplicate' | 'older' | 'unread' | 'passed-by';

/** What was applied of a delivery, and whether the API must be read. */
export type Taken = {
  readonly outcome: Outcome;
  /** For an update with versions, at its first arrival. */
  readonly link?: Link | undefined;
  readonly change?: Change | undefined;
  readonly isUnread: boolean;
};

export type TakeDeps<Tx> = {
  store: ReceiverStore<Tx>;
  apply: (change: Change, tx: Tx) => Promise<void> | void;
  readsBack: boolean;
};

/**
 * One step: whether the message is new, how it joins, applying it, and marking it as seen. If any part fails, all of it
 * is undone, and the service sends the message again.
 */
export const take = <Tx>(delivery: Delivery, { store, apply, readsBack }: TakeDeps<Tx>): Promise<Taken> =>
  store.step(delivery.uuid, async (records) => {
    if (await records.isSeen(delivery.id))
      return { outcome: 'duplicate', isUnread: await isUnread(records, delivery.uuid) };
    const taken = await judge(delivery, records, readsBack);
    if (taken.change) await apply(taken.change, records.tx);
    await records.markSeen(delivery.id);
    return taken;
  });

/** A gap that could not be closed at the first arrival is tried again at each copy. */
const isUnread = async <Tx>(records: StepRecords<Tx>, uuid: string) =>
  (await records.chain(uuid))?.unreadTo !== undefined;

const judge = async <Tx>(
  delivery: Delivery,
  records: StepRecords<Tx>,
  readsBack: boolean,
): Promise<Taken> => {
  // Outside the chain of updates: it is sent at once, and may overtake them.
  if (delivery.type === 'TransactionCompleted')
    return { outcome: 'applied', change: completionOf(delivery), isUnread: false };
  delivery.type satisfies 'TransactionUpdated';
  const chain = (await records.chain(delivery.uuid)) ?? {};
  const link = delivery.range && linkOf(chain.known, delivery.range);
  if (readsBack) {
    const judged = judgeByReading(chain, delivery);
    await records.keepChain(delivery.uuid, judged.chain);
    const change = judged.isApplied ? updateOf(delivery, delivery.parts) : undefined;
    return { ...takenOf(change, judged.chain.unreadTo !== undefined), link };
  }
  if (chain.droppedTo !== undefined && delivery.time <= chain.droppedTo) throw new VersionsDroppedError();
  const judged = judgeByParts(chain, delivery);
  await records.keepChain(delivery.uuid, judged.chain);
  const isNews = judged.taken.length > 0;
  return { ...takenOf(isNews ? updateOf(delivery, judged.taken) : undefined, false), link };
};

/** Neither applied, which could undo a newer message, nor skipped, which could lose this one. */
class VersionsDroppedError extends Error {
  constructor() {
    super(
      'The store in memory has dropped the versions of a transaction, and a late message of it cannot be judged: give the receiver `readBack`, or a `store` that keeps all.',
    );
  }
}

const takenOf = (change: Change | undefined, isUnread: boolean): Taken => {
  const passedOver = isUnread ? 'unread' : 'older';
  return { outcome: change ? 'applied' : passedOver, change, isUnread };
};

const completionOf = ({ uuid, message }: Delivery): Change => {
  const completed = message as TransactionCompleted;
  return { kind: 'completed', uuid, detail: completed.detail, message: completed };
};

const updateOf = (delivery: Delivery, parts: readonly string[]): Change => {
  const { uuid, omitted, isDeletion } = delivery;
  const message = delivery.message as TransactionUpdated;
  if (isDeletion) return { kind: 'deleted', uuid, message };
  const taken = Object.entries(message.detail).filter(([name]) => name === 'uuid' || parts.includes(name));
  return { kind: 'update', uuid, detail: Object.fromEntries(taken), omitted, message };
};
