import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export type PrivateDatabase = {
  db: DatabaseSync;
  /** All of the work or nothing of it, also after kill -9. */
  inOneStep: <Result>(work: () => Result) => Result;
  close: () => void;
};

/** A file of the stage for its owner only: it holds the partners' webhook signatures and customers' data. */
export const openPrivateDatabase = (path: string, tables: string): PrivateDatabase => {
  closeSync(openSync(path, 'a', 0o600));
  // SQLite gives its companions, -wal and -shm, the rights of the file.
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  // In WAL mode NORMAL loses nothing when the process dies; only the machine's own end is not waited for.
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
