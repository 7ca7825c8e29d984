import { createLimit, type Limit } from '../../functions/shared/runtime/limit.ts';
import type { Receipt, ReceiverStore } from '../../partner-kit/src/index.ts';
import { openPrivateDatabase, type PrivateDatabase } from '../data/private-database.ts';

type Kind = 'seen' | 'chain' | 'state';

/** Stores a partner's value of a kind under a name. */
export type Keep = (kind: Kind, name: string, value: unknown) => void;

/** The stored records of one partner's receiver. */
export type PartnerRecords = {
  find: <Value>(kind: Kind, name: string) => Value | undefined;
  keep: Keep;
  /** The kit's store. Writes with `tx` are in the same transaction as the step's. */
  store: ReceiverStore<Keep>;
};

/** A received message of a partner. */
type ListedMessage = { partner: string; receivedAt: Date; receipt: Receipt };

export type ReceiverRecords = {
  of: (partner: string) => PartnerRecords;
  /** Adds a message, or counts a further copy. */
  list: (message: ListedMessage) => void;
  /** The newest messages first, each with its number of copies. */
  latest: () => object[];
  close: () => void;
};

/** The most listed messages: few, since their bodies contain customers' data. */
const listed = 50;

const tables = `
  CREATE TABLE IF NOT EXISTS records (
    partner TEXT, kind TEXT, name TEXT, value TEXT NOT NULL,
    PRIMARY KEY (partner, kind, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS listed (
    number INTEGER PRIMARY KEY,
    partner TEXT, id TEXT, copies INTEGER NOT NULL DEFAULT 1, facts TEXT NOT NULL,
    UNIQUE (partner, id)
  ) STRICT;`;

/** Opens the file with the receivers' records. A message is stored before it is answered. */
export const openReceiverRecords = (file: string): ReceiverRecords => {
  const { db, inOneStep, close } = openPrivateDatabase(file, tables);
  const select = db.prepare('SELECT value FROM records WHERE partner = ? AND kind = ? AND name = ?');
  const write = db.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)');
  const insert = db.prepare(
    `INSERT INTO listed (partner, id, facts) VALUES (?, ?, ?)
     ON CONFLICT (partner, id) DO UPDATE SET copies = copies + 1 RETURNING number`,
  );
  const forget = db.prepare('DELETE FROM listed WHERE number <= ?');
  const newest = db.prepare('SELECT copies, facts FROM listed ORDER BY number DESC');
  const inLine = createLimit(1);

  const of = (partner: string): PartnerRecords => {
    const find = <Value>(kind: Kind, name: string): Value | undefined => {
      const row = select.get(partner, kind, name) as { value: string } | undefined;
      return row && JSON.parse(row.value);
    };
    const keep: Keep = (kind, name, value) => void write.run(partner, kind, name, JSON.stringify(value));
    return { find, keep, store: storeOver({ find, keep }, { inOneStep, inLine }) };
  };

  return {
    of,
    list: ({ partner, receivedAt, receipt }) => {
      const { id, type, uuid, range, link, message } = receipt;
      const facts = { receivedAt, partner, id, type, uuid, range, link, message };
      const { number } = insert.get(partner, id, JSON.stringify(facts)) as { number: number };
      forget.run(number - listed);
    },
    latest: () =>
      (newest.all() as { copies: number; facts: string }[]).map(({ copies, facts }) => ({
        ...JSON.parse(facts),
        copies,
      })),
    close,
  };
};

/** Collects the writes of a step, since a transaction of the database must not wait for asynchronous work. */
const storeOver = (
  { find, keep }: Omit<PartnerRecords, 'store'>,
  { inOneStep, inLine }: Pick<PrivateDatabase, 'inOneStep'> & { inLine: Limit },
): ReceiverStore<Keep> => ({
  step: (_uuid, work) =>
    inLine(async () => {
      const writes: Parameters<Keep>[] = [];
      const gather: Keep = (...record) => void writes.push(record);
      const value = await work({
        tx: gather,
        isSeen: async (id) => find('seen', id) !== undefined,
        markSeen: async (id) => gather('seen', id, true),
        chain: async (uuid) => find('chain', uuid),
        keepChain: async (uuid, chain) => gather('chain', uuid, chain),
      });
      inOneStep(() => {
        for (const record of writes) keep(...record);
      });
      return value;
    }),
  // Without reads of the API no transaction is ever to be read again.
  unread: async () => [],
});
