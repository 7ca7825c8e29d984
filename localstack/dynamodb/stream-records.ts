import { DatabaseSync } from 'node:sqlite';

/**
 * To number a stream record, dynoxide reads all records of its table: 4 ms a write at 5,000 records. This index makes that, and
 * reads of a stream, independent of the number of records. It is stored with the tables.
 */
export const indexStreamRecords = (dbPath: string): void =>
  within(dbPath, (db) =>
    db.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ' +
        'ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)',
    ),
  );

/**
 * Removes the records that every reader of the table has passed, up to `upTo`, at 7 µs a record. The last record stays, since
 * the engine counts from it, and numbers must not restart.
 */
export const forgetStreamRecords = (dbPath: string, table: string, upTo: number): void =>
  within(dbPath, (db) =>
    db
      .prepare(
        'DELETE FROM _stream_records WHERE table_name = $table AND CAST(sequence_number AS INTEGER) <= $upTo ' +
          'AND CAST(sequence_number AS INTEGER) < ' +
          '(SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = $table)',
      )
      .run({ table, upTo }),
  );

/** Opens the engine's file, which the engine has open as well: each waits for the other's writes. */
const within = (dbPath: string, work: (db: DatabaseSync) => unknown): void => {
  const db = new DatabaseSync(dbPath, { timeout: 5000 });
  try {
    work(db);
  } finally {
    db.close();
  }
};
