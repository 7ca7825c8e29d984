import { describe, expect, test } from '@jest/globals';
import { idOfOwner } from '../../../functions/shared/domain/ownership/rollup.ts';
import type { ListRequest } from '../../../functions/shared/domain/query/list-request.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { runPartition } from '../../../functions/shared/store/listing/keys.ts';
import { createTransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

type Act = () => Promise<unknown>;
type Request = { command: string; text: string };
type ActFor = (request: Request) => Act | undefined;

/** A store with this many transactions of one session, and a reader whose requests can be made to wait for others. */
const aStore = async (count: number) => {
  const tables = await newTables(engine, ['Transactions', 'Listing', 'Debounce']);
  const writer = createTransactionWriter(tables);
  const stored = new Map<number, StoredTransaction>();
  for (let number = 1; number <= count; number += 1) {
    const created = await writer.create(
      aNewTransaction({ uuid: uuidOf(number), vehicle }, { session: 'session-a' }),
    );
    if (created.ok) stored.set(number, created.value);
  }
  const change = async (number: number, values: Partial<Transaction>) => {
    const before = stored.get(number);
    if (!before) throw new Error(`no transaction ${number}`);
    const after = {
      ...before,
      version: before.version + 1,
      transaction: { ...before.transaction, ...values },
    };
    const replaced = await writer.replace(before, after);
    if (replaced.ok) stored.set(number, replaced.value);
  };
  const documents = documentsOf(clientOf(engine.endpoint));
  const requests: Request[] = [];
  const none: ActFor = () => undefined;
  let acts: { before: ActFor; after: ActFor } = { before: none, after: none };
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const request = { command: commandName, text: JSON.stringify(args.input) };
        requests.push(request);
        await acts.before(request)?.();
        const answer = await next(args);
        await acts.after(request)?.();
        return answer;
      },
    { step: 'initialize' },
  );
  let drifts = 0;
  const onDrift = () => {
    drifts += 1;
  };
  const reader = createTransactionReader({ ...tables, documents, onDrift });
  const readsOfRecords = () => requests.filter((request) => isOfRecords(request));
  return {
    change,
    readsOfRecords,
    drifts: () => drifts,
    newestIncomplete: reader.newestIncomplete,
    /** What happens before the requests for records, one act each. */
    beforeRecords: (each: Act[]) => {
      acts = { ...acts, before: (request) => (isOfRecords(request) ? each.shift() : undefined) };
    },
    /** What happens before and after certain requests. */
    around: (before: ActFor, after: ActFor) => {
      acts = { before, after };
    },
    page: async (more: Partial<ListRequest> = {}) => {
      const page = await reader.listWithin({ scope: inGroup, filter: {}, page: 1, perPage: 10, ...more });
      return { numbers: page.transactions.map(numberOf), totalCount: page.totalCount };
    },
  };
};

const vehicle = { identifiers: { ndstockid: 'stock-1', salesmasterid: 'sales-1' } };
const inGroup = { kind: 'grants', grants: [{ group: 'group-a' }] } as const;
const ofSession = { kind: 'session', session: 'session-a' } as const;
const numberOf = ({ transaction }: Pick<StoredTransaction, 'transaction'>) =>
  Number.parseInt(transaction.uuid.split('-')[0] ?? '', 16);

/** The listing says which records stand on the page; they are read after it. */
const isOfRecords = ({ command, text }: Request) =>
  ['BatchGetItemCommand', 'GetItemCommand'].includes(command) && text.includes('Transactions-');

const otherOwner = anOwner({ group: 'group-b' });
const otherVehicle = { identifiers: { ndstockid: 'stock-2', salesmasterid: 'sales-2' } };

describe('STO-5 changes between the index and the records', () => {
  test.each<[string, Partial<Transaction>, Partial<ListRequest>]>([
    ['is deleted', { isDeleted: 1 }, {}],
    ['is deleted', { isDeleted: 1 }, { scope: ofSession }],
    ['moves to another group', { ndMeta: otherOwner }, {}],
    ['moves to another group', { ndMeta: otherOwner }, { filter: { ndstockid: 'stock-1' } }],
    ['is completed', { status: 1 }, { filter: { status: 0 } }],
    ['is completed', { status: 1 }, { scope: ofSession, filter: { status: 0 } }],
    ['gets another ndstockid', { vehicle: otherVehicle }, { filter: { ndstockid: 'stock-1' } }],
    ['gets another salesmasterid', { vehicle: otherVehicle }, { filter: { salesmasterid: 'sales-1' } }],
  ])('a transaction that %s (%j) is not in the list %j', async (_, values, request) => {
    const store = await aStore(3);
    store.beforeRecords([() => store.change(2, values)]);

    expect(await store.page(request)).toEqual({ numbers: [1, 3], totalCount: 2 });
    expect(store.readsOfRecords()).toHaveLength(2);
  });

  test('a session that filters by vehicle reads the records twice, and sees no change between the two', async () => {
    const store = await aStore(3);
    store.beforeRecords([async () => {}, () => store.change(2, { vehicle: otherVehicle })]);

    const page = await store.page({ scope: ofSession, filter: { ndstockid: 'stock-1' } });

    expect(page).toEqual({ numbers: [1, 3], totalCount: 2 });
  });

  test.each<[string, number, number[], [number[], number], number]>([
    ['a short page is read again, three times at most', 8, [1, 2, 3], [[4, 5, 6], 5], 0],
    [
      'S-70 under endless changes a page is short but never wrong, and reported',
      12,
      [1, 2, 3, 4, 5],
      [[5, 6], 9],
      1,
    ],
  ])('%s', async (_, count, deleted, [numbers, totalCount], drifts) => {
    const store = await aStore(count);
    store.beforeRecords(deleted.map((number) => () => store.change(number, { isDeleted: 1 })));

    expect(await store.page({ perPage: 3 })).toEqual({ numbers, totalCount });
    expect([store.readsOfRecords().length, store.drifts()]).toEqual([4, drifts]);
  });

  test('a complete page is read once, a last page and one past the end as well', async () => {
    const store = await aStore(4);

    expect(await store.page({ perPage: 3 })).toEqual({ numbers: [1, 2, 3], totalCount: 4 });
    expect(await store.page({ perPage: 3, page: 2 })).toEqual({ numbers: [4], totalCount: 4 });
    expect(await store.page({ perPage: 3, afterUuid: uuidOf(3), page: 2 })).toEqual({
      numbers: [4],
      totalCount: 4,
    });
    // The cursor's own record is the one read more.
    expect(store.readsOfRecords()).toHaveLength(4);
    expect(await store.page({ perPage: 3, page: 3 })).toEqual({ numbers: [], totalCount: 4 });
    expect(store.readsOfRecords()).toHaveLength(4);
  });

  test('PAGE-4 a page amid a list is found anew after each change before it', async () => {
    const store = await aStore(210);
    const numbers = async () => (await store.page({ page: 66, perPage: 2 })).numbers;
    expect(await numbers()).toEqual([131, 132]);

    await store.change(1, { vehicle: otherVehicle });
    expect(await numbers()).toEqual([131, 132]);
    await store.change(1, { isDeleted: 1 });
    expect(await numbers()).toEqual([132, 133]);
    await store.change(2, { ndMeta: otherOwner });
    expect(await numbers()).toEqual([133, 134]);
  });

  describe('a status that changes between the roots and the ends of the index runs', () => {
    const isOfRoots = ({ command, text }: Request) => command === 'QueryCommand' && text.includes('rg#');
    const isOfRun = ({ command, text }: Request) => command === 'QueryCommand' && text.includes('e#');
    const isPart: [string, (request: Request) => boolean, (request: Request) => boolean][] = [
      ['the roots, then the run', isOfRoots, isOfRun],
      ['the run, then the roots', isOfRun, isOfRoots],
    ];
    const once = (act: Act) => {
      const acts = [act];
      return () => acts.shift();
    };

    test.each(isPart)('page 1 has what its total counts: %s', async (_, isFirst, isSecond) => {
      const store = await aStore(5);
      const changed = Promise.withResolvers<void>();
      const change = once(async () => {
        await store.change(2, { status: 1 });
        changed.resolve();
      });
      store.around(
        (request) => (isSecond(request) ? () => changed.promise : undefined),
        (request) => (isFirst(request) ? change() : undefined),
      );

      const page = await store.page({ filter: { status: 0 }, perPage: 10 });

      expect(page).toEqual({ numbers: [1, 3, 4, 5], totalCount: 4 });
    });

    test('the last page is read again if it becomes shorter', async () => {
      const store = await aStore(5);
      const change = once(async () => {
        for (const number of [1, 2, 3, 4]) await store.change(number, { status: 1 });
      });
      store.around(
        () => undefined,
        (request) => (isOfRoots(request) ? change() : undefined),
      );

      const page = await store.page({ filter: { status: 0 }, perPage: 3, page: 2 });

      expect(page).toEqual({ numbers: [], totalCount: 1 });
    });
  });

  test('a transaction that moves between two index runs while both are read is shown once', async () => {
    const store = await aStore(3);
    const there = anOwner({ location: 'location-b' });
    const grants = [anOwner(), there].map(({ group, franchise, location }) => ({
      group,
      franchise,
      location,
    }));
    const isRunOf =
      (owner: typeof there) =>
      ({ command, text }: Request) =>
        command === 'QueryCommand' && text.includes(runPartition(idOfOwner(owner)));
    const moved = Promise.withResolvers<void>();
    const moves = [
      async () => {
        await store.change(2, { ndMeta: there });
        moved.resolve();
      },
    ];
    store.around(
      (request) => (isRunOf(there)(request) ? () => moved.promise : undefined),
      (request) => (isRunOf(anOwner())(request) ? moves.shift() : undefined),
    );

    const page = await store.page({ scope: { kind: 'grants', grants } });

    expect(page).toEqual({ numbers: [1, 2, 3], totalCount: 3 });
  });
});

describe('V1-1 the newest incomplete transaction of a session', () => {
  test.each<[string, Partial<Transaction>]>([
    ['is deleted', { isDeleted: 1 }],
    ['is completed', { status: 1 }],
  ])('is the one before, when the newest %s after the session was read', async (_, values) => {
    const store = await aStore(3);
    store.beforeRecords([() => store.change(3, values)]);

    expect((await store.newestIncomplete('session-a'))?.transaction.uuid).toBe(uuidOf(2));
  });

  test('is found among complete ones by reading only its own record', async () => {
    const store = await aStore(3);
    await store.change(2, { status: 1 });
    await store.change(3, { status: 1 });

    expect((await store.newestIncomplete('session-a'))?.transaction.uuid).toBe(uuidOf(1));
    expect(store.readsOfRecords()).toHaveLength(1);
  });

  test('is none if each is deleted while it is read', async () => {
    const store = await aStore(2);
    store.beforeRecords([() => store.change(2, { isDeleted: 1 }), () => store.change(1, { isDeleted: 1 })]);

    expect(await store.newestIncomplete('session-a')).toBeUndefined();
  });
});
