import { forgetStreamRecords, within } from '../../../localstack/embedded/engine.ts';

/** Tables by their logical ids. */
export type TableId = 'Transactions' | 'Listing' | 'Partners' | 'Debounce' | 'Requests';

/** Keeps all tables of a running engine as they are at this moment, in a file of their own. */
export const keepTables = (dbPath: string, copy: string): void =>
  within(dbPath, (db) => void db.prepare('VACUUM INTO ?').run(copy));

/**
 * Puts tables back to where the copy has them, beside an engine that does not run: without a record in any stream, as after a
 * restore, which makes a table with a new stream.
 */
export const putBack = (dbPath: string, copy: string, tables: readonly TableId[]): void => {
  within(dbPath, (db) => {
    db.prepare('ATTACH ? AS kept').run(copy);
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of names as { name: string }[]) {
      const [base = ''] = name.split('::');
      if (!tables.some((table) => base === table)) continue;
      db.exec(`DELETE FROM "${name}"; INSERT INTO "${name}" SELECT * FROM kept."${name}"`);
    }
  });
  if (tables.includes('Transactions')) forgetStreamRecords(dbPath, 'Transactions', Number.MAX_SAFE_INTEGER);
};
