import type { TransactionType } from '../event-types.ts';
import type { TransactionCompleted, TransactionUpdated } from '../types.ts';
import type { Change } from './change.ts';
import type { ReadMessage, Versions } from './message.ts';
import { judgeByParts, judgeByReading, type Link, linkOf } from './order.ts';
import type { ReceiverStore, StepRecords } from './store.ts';

/** A message of a transaction, with what its headers say. */
export type Delivery = ReadMessage & Versions & { readonly type: TransactionType; readonly uuid: string };

/** What became of a message; of `unread` the API has to be read first, and what is of no transaction is passed by. */
export type Outcome = 'applied' | 'duplicate' | 'older' | 'unread' | 'passed-by';

/** What was applied of a delivery, and whether the API has to be read. */
export type Taken = {
  readonly outcome: Outcome;
  /** Of an update that says its versions, when it comes first. */
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
 * One step: whether the message is new, where it belongs, what the partner makes of it, and that it was seen. If any of it
 * fails, none of it was, and the service sends it again.
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

/** A gap that could not be closed when the message came first is tried again with each copy of it. */
const isUnread = async <Tx>(records: StepRecords<Tx>, uuid: string) =>
  (await records.chain(uuid))?.unreadTo !== undefined;

const judge = async <Tx>(
  delivery: Delivery,
  records: StepRecords<Tx>,
  readsBack: boolean,
): Promise<Taken> => {
  // It stands outside the chain of updates: it comes at once, and may overtake them.
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
  const judged = judgeByParts(chain, delivery);
  await records.keepChain(delivery.uuid, judged.chain);
  const isNews = judged.taken.length > 0;
  return { ...takenOf(isNews ? updateOf(delivery, judged.taken) : undefined, false), link };
};

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
