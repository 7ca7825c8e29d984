import { describe, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import {
  createNumericIds,
  type NumericIds,
} from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { faultOfNext } from '../../support/engine/faults.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryNumericIds } from '../../support/memory/numeric-ids.ts';

const engine = useEngine();
const tables = () => newTables(engine, ['Listing', 'Transactions']);

const take = async (ids: NumericIds, count: number) => {
  const taken: number[] = [];
  for (let number = 0; number < count; number += 1) taken.push(await ids.next());
  return taken;
};

describe.each([
  { name: 'stand-in in memory', newIds: async () => createMemoryNumericIds() },
  { name: 'DynamoDB engine', newIds: async () => createNumericIds(await tables()) },
])('$name', ({ newIds }) => {
  test('ID-2 ids rise from 1, and after an import from the largest that it brought', async () => {
    const ids = await newIds();

    expect(await take(ids, 3)).toEqual([1, 2, 3]);
    await ids.atLeast(4_700);
    await ids.atLeast(12);
    expect(await take(ids, 2)).toEqual([4_701, 4_702]);
  });

  test('ID-2 many in a row are given by their first, and an import is told up to which ids others may have been given', async () => {
    const ids = await newIds();

    const told = [await ids.atLeast(40), await ids.next(5), await ids.atLeast(100), await ids.atLeast(60)];

    expect(told).toEqual([0, 41, 45, 60]);
    expect(await ids.next()).toBe(101);
  });

  test('ID-2 an id is never given twice to callers at the same time', async () => {
    const ids = await newIds();

    const all = await Promise.all(Array.from({ length: 20 }, () => take(ids, 5)));

    expect(new Set(all.flat()).size).toBe(100);
  });
});

test('ID-2 an id whose answer was lost is never given again', async () => {
  const { next, choose } = faultOfNext();
  const ids = createNumericIds(await newTables(engine, ['Listing'], choose));
  next.fault = 'answer-lost';

  expect(await take(ids, 2)).toEqual([2, 3]);
});

test('the sequence of ids is no drift of the listing', async () => {
  const access = await tables();
  await createNumericIds(access).atLeast(9);

  expect(await createListingAuditor(access).audit()).toMatchObject({ entryDrift: [], counterDrift: [] });
});
