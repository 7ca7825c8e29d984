import type { Units } from '../units.ts';

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

/** Nothing yet. */
export const noUnits = (): Units => ({ write: 0, index: 0, read: 0, requests: 0 });

/** The sum of both, the second multiplied by `factor`. */
export const plus = (a: Units, b: Units, factor = 1): Units => ({
  write: a.write + b.write * factor,
  index: a.index + b.index * factor,
  read: a.read + b.read * factor,
  requests: a.requests + b.requests * factor,
});

/** One of `count`, to a tenth. */
export const meanOf = (total: Units, count: number): Units => {
  const each = (value: number) => Number((value / count).toFixed(1));
  return {
    ...{ write: each(total.write), index: each(total.index) },
    ...{ read: each(total.read), requests: each(total.requests) },
  };
};
