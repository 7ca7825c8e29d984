const names = ['write', 'index', 'read', 'requests'] as const;

/** Capacity units that requests consumed, and the requests; `index` is the part of the listing. */
export type Units = Record<(typeof names)[number], number>;

/** Units of one piece of work, and bytes at rest: means over the transactions of the demo data. */
export type Measured = {
  measuredOn: string;
  /** Written by hand or by an import; a session's own has one entry more. */
  create: Units;
  /** A save of one element. */
  save: Units;
  /** One record by its uuid. */
  read: Units;
  /** The first page of ten, records included. */
  list: Units;
  /** The row of what changed, as the stream's function writes it. */
  recordChange: Units;
  /** An event for one partner, and what each further recipient adds. */
  event: { first: Units; further: Units };
  /** A poll that finds nothing due. */
  poll: Units;
  /** Of a transaction with its entries of the listing, and of an event's rows for one recipient. */
  bytes: { transaction: number; event: number };
};

const unitsBy = (of: (name: (typeof names)[number]) => number) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Units;

/** Nothing yet. */
export const noUnits = (): Units => unitsBy(() => 0);

/** The sum of both, the second multiplied by `factor`. */
export const plus = (a: Units, b: Units, factor = 1): Units => unitsBy((name) => a[name] + b[name] * factor);

/** One of `count`, to a tenth. */
export const meanOf = (total: Units, count: number): Units =>
  unitsBy((name) => Number((total[name] / count).toFixed(1)));
