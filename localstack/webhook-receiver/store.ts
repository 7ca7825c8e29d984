import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type ChainLink, decideLink } from './chain.ts';
import type { VersionRange } from './message.ts';
import type { AcceptedSignature } from './signature.ts';

/** One message as it came in for one partner. */
type ReceivedMessage = {
  partner: string;
  id: string;
  type: string;
  uuid?: string;
  range?: VersionRange;
  receivedAtMs: number;
  body: string;
};

/** A message as it is remembered; `copies` counts how often it came. */
export type RememberedMessage = Omit<ReceivedMessage, 'body'> & {
  copies: number;
  link?: ChainLink;
  /** Of the newest messages only. */
  body?: string;
};

export type ReceiverStore = {
  /** Remembers a message once; answers whether it came before, and how an update fits to the ones before it. */
  take: (message: ReceivedMessage) => { isDuplicate: boolean; link?: ChainLink };
  latest: (limit: number) => RememberedMessage[];
  /** The updates of one transaction, in the order in which they came. */
  updatesOf: (partner: string, uuid: string) => RememberedMessage[];
  signatures: (partner: string) => readonly AcceptedSignature[] | undefined;
  keepSignatures: (partner: string, accepted: readonly AcceptedSignature[]) => void;
  close: () => void;
};

/** Ids and versions are kept for good, bodies of so many messages: they hold customers. */
const bodiesKept = 1_000;

const tables = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    number INTEGER PRIMARY KEY,
    partner TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    uuid TEXT,
    "from" INTEGER,
    "to" INTEGER,
    link TEXT,
    receivedAtMs INTEGER NOT NULL,
    copies INTEGER NOT NULL DEFAULT 1,
    body TEXT,
    UNIQUE (partner, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS chain ON messages (partner, uuid, type, "to");
  CREATE TABLE IF NOT EXISTS signatures (
    partner TEXT PRIMARY KEY,
    accepted TEXT NOT NULL
  ) STRICT;`;

/** What a receiver has to remember over restarts, in one file. A message is there before it is answered. */
export const openReceiverStore = (file: string): ReceiverStore => {
  // For its owner only: it holds customers and signatures. SQLite gives its companions, -wal and -shm, the same rights.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  database.exec(tables);
  const known = database.prepare(
    `SELECT max("to") AS version FROM messages WHERE partner = ? AND uuid = ? AND type = 'TransactionUpdated'`,
  );
  const remember = database.prepare(
    `INSERT INTO messages (partner, id, type, uuid, "from", "to", link, receivedAtMs, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (partner, id) DO UPDATE SET copies = copies + 1
     RETURNING number, copies, link`,
  );
  const forgetBody = database.prepare('UPDATE messages SET body = NULL WHERE number = ?');
  const newest = database.prepare('SELECT * FROM messages ORDER BY number DESC LIMIT ?');
  const updates = database.prepare(
    `SELECT * FROM messages WHERE partner = ? AND uuid = ? AND type = 'TransactionUpdated' ORDER BY number`,
  );
  const readSignatures = database.prepare('SELECT accepted FROM signatures WHERE partner = ?');
  const writeSignatures = database.prepare('INSERT OR REPLACE INTO signatures VALUES (?, ?)');

  const linkOf = ({ partner, uuid, type, range }: ReceivedMessage): ChainLink | undefined => {
    if (type !== 'TransactionUpdated' || uuid === undefined || range === undefined) return undefined;
    const { version } = known.get(partner, uuid) as { version: number | null };
    return decideLink(version ?? undefined, range);
  };

  return {
    take: (message) => {
      const { partner, id, type, uuid = null, range, receivedAtMs, body } = message;
      const versions = [range?.from ?? null, range?.to ?? null] as const;
      const link = linkOf(message) ?? null;
      const row = remember.get(partner, id, type, uuid, ...versions, link, receivedAtMs, body) as ReceivedRow;
      forgetBody.run(row.number - bodiesKept);
      return { isDuplicate: row.copies > 1, ...(row.link !== null && { link: row.link }) };
    },
    updatesOf: (partner, uuid) => (updates.all(partner, uuid) as ReceivedRow[]).map(remembered),
    latest: (limit) => (newest.all(limit) as ReceivedRow[]).map(remembered),
    signatures: (partner) => {
      const row = readSignatures.get(partner) as { accepted: string } | undefined;
      return row && JSON.parse(row.accepted);
    },
    keepSignatures: (partner, accepted) => void writeSignatures.run(partner, JSON.stringify(accepted)),
    close: () => database.close(),
  };
};

type ReceivedRow = {
  number: number;
  partner: string;
  id: string;
  type: string;
  uuid: string | null;
  from: number | null;
  to: number | null;
  link: ChainLink | null;
  receivedAtMs: number;
  copies: number;
  body: string | null;
};

const remembered = ({
  partner,
  id,
  type,
  uuid,
  from,
  to,
  link,
  receivedAtMs,
  copies,
  body,
}: ReceivedRow) => ({
  partner,
  id,
  type,
  receivedAtMs,
  copies,
  ...(uuid !== null && { uuid }),
  ...(from !== null && to !== null && { range: { from, to } }),
  ...(link !== null && { link }),
  ...(body !== null && { body }),
});
