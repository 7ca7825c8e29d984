import type { TransactionsClient } from '../client/transactions.ts';
import { elementNames, type WholeTransaction } from '../types.ts';
import type { Change } from './change.ts';
import { chainAfterReading } from './order.ts';
import { oneAtATime, type ReceiverStore } from './store.ts';

/** Reads a whole transaction. Undefined if the API does not show it. */
export type ReadTransaction = (uuid: string) => Promise<WholeTransaction | undefined>;

/** Reads by the client. */
export const readWith =
  (client: { readonly transactions: Pick<TransactionsClient, 'retrieve'> }): ReadTransaction =>
  async (uuid) => {
    try {
      return (await client.transactions.retrieve(uuid, { expand: elementNames })).data;
    } catch (fault) {
      if (fault instanceof Error && 'status' in fault && fault.status === 404) return undefined;
      throw fault;
    }
  };

type ReadBackDeps<Tx> = {
  store: ReceiverStore<Tx>;
  apply: (change: Change, tx: Tx) => Promise<void> | void;
  read: ReadTransaction;
};

/** Closes the gap of a transaction: reads until nothing has come meanwhile, one read at a time. */
export const createReadBack = <Tx>(deps: ReadBackDeps<Tx>) => {
  const inLine = oneAtATime();
  return (uuid: string): Promise<readonly Change[]> =>
    inLine(uuid, async () => {
      const changes: Change[] = [];
      for (let readTo = await unreadOf(uuid, deps); readTo !== undefined; readTo = await unreadOf(uuid, deps))
        changes.push(await readOnce(uuid, readTo, deps));
      return changes;
    });
};

const unreadOf = <Tx>(uuid: string, { store }: ReadBackDeps<Tx>) =>
  store.step(uuid, async (records) => (await records.chain(uuid))?.unreadTo);

/** The version is taken before the read, so that a message during the read causes another one. */
const readOnce = async <Tx>(uuid: string, readTo: number, { store, apply, read }: ReadBackDeps<Tx>) => {
  const transaction = await read(uuid);
  const change: Change = transaction ? { kind: 'state', uuid, transaction } : { kind: 'gone', uuid };
  await store.step(uuid, async (records) => {
    await apply(change, records.tx);
    await records.keepChain(uuid, chainAfterReading((await records.chain(uuid)) ?? {}, readTo));
  });
  return change;
};
