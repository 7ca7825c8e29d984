import { DatabaseSync } from 'node:sqlite';

/**
 * dynoxide numbers a stream record by the highest number that its table has, and looks through every record for it: 4 ms
 * a write at 5,000 records. This index answers that, and the reads of a stream, however many records there are. It is
 * stored with the tables, so a later start finds it.
 */
export const indexStreamRecords = (dbPath: string): void =>
  within(dbPath, (db) =>
    db.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ' +
        'ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)',
    ),
  );

/**
 * Removes the records up to the one that every reader of the table has passed. The last one stays: the next number is
 * counted from it, and a reader that starts again must not find a lower one. 7 µs a record.
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

/** Beside the engine, which has the same file open: each waits for the other's write. */
const within = (dbPath: string, work: (db: DatabaseSync) => unknown): void => {
  const db = new DatabaseSync(dbPath, { timeout: 5000 });
  try {
    work(db);
  } finally {
    db.close();
  }
};
