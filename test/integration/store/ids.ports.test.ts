import { describe, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import {
  createNumericIds,
  type NumericIds,
} from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type ChooseFault, injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryNumericIds } from '../../support/memory/numeric-ids.ts';

const engine = useEngine();
let sets = 0;

const retryDelays = { random: () => 0, sleep: async () => {} };

const realIds = async (choose: ChooseFault = () => undefined): Promise<NumericIds> => {
  sets += 1;
  await addTables(engine.client, `-${sets}`, ['Listing', 'Transactions']);
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  return createNumericIds({ documents, listingTable: `Listing-${sets}`, retryDelays });
};

const take = async (ids: NumericIds, count: number) => {
  const taken: number[] = [];
  for (let number = 0; number < count; number += 1) taken.push(await ids.next());
  return taken;
};

describe.each([
  { name: 'stand-in in memory', newIds: async () => createMemoryNumericIds() },
  { name: 'DynamoDB engine', newIds: () => realIds() },
])('$name', ({ newIds }) => {
  test('ids increase from 1 (ID-2)', async () => {
    expect(await take(await newIds(), 3)).toEqual([1, 2, 3]);
  });

  test('ids after an import are larger than the imported ones (ID-2)', async () => {
    const ids = await newIds();
    await ids.next();

    await ids.atLeast(4_700);

    expect(await take(ids, 2)).toEqual([4_701, 4_702]);
  });

  test('an import of smaller ids changes nothing (ID-2)', async () => {
    const ids = await newIds();
    await ids.atLeast(4_700);

    await ids.atLeast(12);

    expect(await ids.next()).toBe(4_701);
  });

  test('many in a row are taken by their first, and an import learns which ids others may have got (ID-2)', async () => {
    const ids = await newIds();

    const told = [await ids.atLeast(40), await ids.next(5), await ids.atLeast(100), await ids.atLeast(60)];

    expect(told).toEqual([0, 41, 45, 60]);
    expect(await ids.next()).toBe(101);
  });

  test('parallel callers never get the same id (ID-2)', async () => {
    const ids = await newIds();

    const all = await Promise.all(Array.from({ length: 20 }, () => take(ids, 5)));

    expect(new Set(all.flat()).size).toBe(100);
  });
});

test('an id whose answer was lost is never issued again (ID-2)', async () => {
  let requests = 0;
  const ids = await realIds(() => {
    requests += 1;
    return requests === 1 ? 'answer-lost' : undefined;
  });

  expect(await take(ids, 2)).toEqual([2, 3]);
});

test('the sequence of ids is no drift of the listing', async () => {
  const ids = await realIds();
  await ids.atLeast(9);

  const tables = { transactionsTable: `Transactions-${sets}`, listingTable: `Listing-${sets}` };
  const { entryDrift, counterDrift } = await createListingAuditor({
    documents: engine.documents,
    ...tables,
  }).audit();

  expect({ entryDrift, counterDrift }).toEqual({ entryDrift: [], counterDrift: [] });
});
