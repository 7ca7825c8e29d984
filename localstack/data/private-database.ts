import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export type PrivateDatabase = {
  db: DatabaseSync;
  /** Runs the work in one transaction. */
  inOneStep: <Result>(work: () => Result) => Result;
  close: () => void;
};

/** Opens a database that only its owner may read: it holds partners' webhook signatures and customers' data. */
export const openPrivateDatabase = (path: string, tables: string): PrivateDatabase => {
  closeSync(openSync(path, 'a', 0o600));
  // SQLite gives the files `-wal` and `-shm` the rights of the database.
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  // In WAL mode NORMAL loses nothing when the process dies, only when the machine does.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}`);
  return { db, inOneStep: (work) => inOneStep(db, work), close: () => db.close() };
};

const inOneStep = <Result>(db: DatabaseSync, work: () => Result): Result => {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
};
