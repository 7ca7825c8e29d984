import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * What the stage keeps beside the tables of the service, in one file: messages, undelivered events, rules, connections,
 * destinations, secrets, positions in the stream, the clock, and what the demo receivers got. Each change is stored before it is
 * answered, so that `kill -9` loses nothing (RUN-1).
 */
export type State = {
  db: DatabaseSync;
  /** Runs the work in one transaction. */
  inOneStep: <Result>(work: () => Result) => Result;
  /** Values by kind and name. */
  records: <Value>(kind: string) => Records<Value>;
  close: () => void;
};

export type Records<Value> = {
  get: (name: string) => Value | undefined;
  put: (name: string, value: Value) => void;
  remove: (name: string) => void;
  /** The values whose names begin with the prefix, sorted by name. */
  list: (prefix?: string) => Value[];
};

/** Opens the file, which only its owner may read: it holds webhook signatures, keys and customers' data. */
export const openState = (path: string): State => {
  closeSync(openSync(path, 'a', 0o600));
  // SQLite gives the files `-wal` and `-shm` the rights of the database.
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  // In WAL mode NORMAL loses nothing when the process dies, only when the machine does.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}`);
  const find = db.prepare('SELECT body FROM records WHERE kind = ? AND name = ?');
  const write = db.prepare('INSERT OR REPLACE INTO records (kind, name, body) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM records WHERE kind = ? AND name = ?');
  const list = db.prepare(
    'SELECT body FROM records WHERE kind = ?1 AND substr(name, 1, length(?2)) = ?2 ORDER BY name',
  );
  const read = <Value>(row: unknown): Value => JSON.parse((row as { body: string }).body);
  return {
    db,
    inOneStep: (work) => inOneStep(db, work),
    records: (kind) => ({
      get: (name) => {
        const row = find.get(kind, name);
        return row && read(row);
      },
      put: (name, value) => void write.run(kind, name, JSON.stringify(value)),
      remove: (name) => void remove.run(kind, name),
      list: (prefix = '') => list.all(kind, prefix).map((row) => read(row)),
    }),
    close: () => db.close(),
  };
};

const inOneStep = <Result>(db: DatabaseSync, work: () => Result): Result => {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has ended the transaction already if the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const tables = `
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT, name TEXT, body TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    destination TEXT NOT NULL, rule TEXT NOT NULL, target TEXT NOT NULL, event TEXT NOT NULL,
    acceptedMs INTEGER NOT NULL, dueMs INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS dueDeliveries ON deliveries (destination, dueMs);
  CREATE TABLE IF NOT EXISTS messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, attributes TEXT NOT NULL,
    sentMs INTEGER NOT NULL, visibleMs INTEGER NOT NULL,
    receipt TEXT, receives INTEGER NOT NULL DEFAULT 0, firstReceivedMs INTEGER,
    groupId TEXT
  );
  CREATE INDEX IF NOT EXISTS visibleMessages ON messages (queue, visibleMs);
  CREATE INDEX IF NOT EXISTS receivedMessages ON messages (receipt);
  CREATE TABLE IF NOT EXISTS deduplications (
    queue TEXT, deduplicationId TEXT, messageId TEXT NOT NULL, sentMs INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplicationId)
  ) WITHOUT ROWID;
`;
