import {
  type ElementName,
  isJsonObject,
  type OwnPropertyName,
  type Transaction,
} from '../transaction/transaction.ts';

/** A column that lists filter by (FLT-1): its name in requests, and its value in a transaction. */
export type Column = {
  /** Its full name in the query string. */
  parameter: string;
  path: readonly [OwnPropertyName | ElementName, ...string[]];
  /** The allowed values. Absent if any text is allowed. */
  values?: readonly number[];
};

/** A text column whose transactions are found by index runs: one run for each value in each group. */
type IndexedColumn = Column & {
  path: readonly [ElementName, ...string[]];
  /** The lowercase letter that the keys of its runs begin with. No other item of the listing begins with it. */
  run: string;
};

/**
 * To add a filter, add one row at the end. The parser, cursors, keys, entries, reads, audit and rights follow from it;
 * the description, the guide and the kit need a line each. A run is read whole for each page, so a value must match
 * only a few of a group's transactions: an id, not a make. Older transactions are found after `listing repair` has run.
 */
export const indexedColumns = {
  ndstockid: {
    parameter: 'filter[identifiers][ndstockid]',
    path: ['vehicle', 'identifiers', 'ndstockid'],
    run: 'v',
  },
  salesmasterid: {
    parameter: 'filter[identifiers][salesmasterid]',
    path: ['vehicle', 'identifiers', 'salesmasterid'],
    run: 'x',
  },
} as const satisfies Record<string, IndexedColumn>;

/** All columns, in the order in which a cursor names them. The key of a record and the counted columns need no run. */
export const columns = {
  uuid: { parameter: 'filter[uuid]', path: ['uuid'] },
  status: { parameter: 'filter[status]', path: ['status'], values: [0, 1] },
  ...indexedColumns,
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];

/** All conditions must hold (FLT-1). */
export type ListFilter = { [Name in ColumnName]?: ValueOf<(typeof columns)[Name]> };
type ValueOf<Of extends Column> = Of extends { values: readonly (infer Value)[] } ? Value : string;

/** Whether a transaction meets every condition (FLT-1). */
export const matches = (filter: ListFilter, transaction: Transaction): boolean =>
  columnNames.every(
    (name) => filter[name] === undefined || filter[name] === valueAt(transaction, columns[name].path),
  );

/** A value of an indexed column, which is the key of its index runs. */
export type IndexedValue = Pick<IndexedColumn, 'path' | 'run'> & { value: string };

/** The indexed values of a transaction. A value that is empty or no text is not indexed. */
export const indexedValues = (transaction: Transaction): IndexedValue[] =>
  Object.values(indexedColumns).flatMap(({ path, run }) => {
    const value = valueAt(transaction, path);
    return typeof value === 'string' && value !== '' ? [{ path, run, value }] : [];
  });

/** The conditions of a filter that index runs answer. */
export const indexedConditions = (filter: ListFilter): IndexedValue[] =>
  indexedNames.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ ...indexedColumns[name], value }];
  });

const indexedNames = Object.keys(indexedColumns) as (keyof typeof indexedColumns)[];

const valueAt = (transaction: Transaction, path: readonly string[]): unknown =>
  path.reduce<unknown>(memberOf, transaction);

const memberOf = (value: unknown, name: string) =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
