import { expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type Fault, injectFaults } from '../../support/engine/faults.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
let sets = 0;

/** A store whose next write meets the fault; while it waits to try again, `meanwhile` happens. */
const openStore = async (fault: Fault) => {
  sets += 1;
  await addTables(engine.client, `-${sets}`, ['Transactions', 'Listing', 'Requests', 'Debounce']);
  const tables = {
    transactionsTable: `Transactions-${sets}`,
    listingTable: `Listing-${sets}`,
    requestsTable: `Requests-${sets}`,
    debounceTable: `Debounce-${sets}`,
  };
  const next = { faults: [fault], meanwhile: async (): Promise<unknown> => undefined };
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, (command) =>
    /^(PutItem|TransactWrite)/.test(command) ? next.faults.shift() : undefined,
  );
  const faulty = { documents, ...tables, retryDelays: { random: () => 0, sleep: () => next.meanwhile() } };
  const clean = { documents: engine.documents, ...tables };
  return {
    next,
    ...createTransactionWriter(faulty),
    requests: createRequestStore(faulty),
    others: createTransactionWriter(clean),
    byUuid: readerWithoutDrift({ ...clean, membersOf: async () => [] }).byUuid,
  };
};

/** As `openStore`, with one transaction and the next states of it. */
const openChanged = async (fault: Fault) => {
  const store = await openStore(fault);
  const outcome = await store.others.create(aNewTransaction({ uuid: uuidOf(1) }));
  if (!outcome.ok) throw new Error(outcome.reason);
  const first = outcome.value;
  const second = changed(first, 'second');
  return { store, first, second, third: changed(second, 'third') };
};

const madeAt = new Date('2026-03-01T12:00:00Z');
const record: IdempotencyRecord = {
  id: 'record-a',
  bodyHash: 'body-a',
  uuid: uuidOf(1),
  answer: { status: 200, headers: {}, body: '{}' },
  expiresAtMs: Date.parse('2026-03-02T12:00:00Z'),
};

const changed = (stored: StoredTransaction, guestEmail: string): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs: stored.updatedAtMs + 1,
  transaction: { ...stored.transaction, guestEmail },
});

const lost: Fault[] = ['answer-lost', 'answer-and-token-lost', 'duplicate'];

test.each(lost)(
  'a creation under a key is recognised as done after a fault of kind %s (WR-1)',
  async (fault) => {
    const store = await openStore(fault);

    const outcome = await store.create(aNewTransaction({ uuid: uuidOf(1) }), { record });

    expect(outcome).toMatchObject({ ok: true, value: { sequenceNumber: 1 } });
    expect(await store.requests.find('record-a', madeAt)).toEqual(record);
  },
);

test.each(lost)(
  'a change under a key is recognised as done after a fault of kind %s, even if others wrote since (WR-1)',
  async (fault) => {
    const { store, first, second, third } = await openChanged(fault);
    store.next.meanwhile = () => store.others.replace(second, third);

    expect(await store.replace(first, second, record)).toEqual({ ok: true, value: second });
  },
);

test('without a key a change whose answer was lost is recognised as done while no other write followed', async () => {
  const { store, first, second } = await openChanged('answer-lost');

  expect(await store.replace(first, second)).toEqual({ ok: true, value: second });
});

test('without a key it stays unknown after others wrote since', async () => {
  const { store, first, second, third } = await openChanged('answer-lost');
  store.next.meanwhile = () => store.others.replace(second, third);

  expect(await store.replace(first, second)).toEqual({ ok: false, reason: 'perhaps-done' });
});

test('under a key the same state, written by another, is not this write, and its key has no record (WR-1)', async () => {
  const { store, first, second } = await openChanged('crash-before-send');
  store.next.meanwhile = () => store.others.replace(first, second);

  expect(await store.replace(first, second, record)).toEqual({ ok: false, reason: 'changed-meanwhile' });
  expect(await store.requests.find('record-a', madeAt)).toBeUndefined();
});

test.each(['answer-lost', 'duplicate'] as const)(
  'a record of a save without effect is recognised after a fault of kind %s (WR-3)',
  async (fault) => {
    const { requests } = await openStore(fault);

    expect(await requests.remember(record, madeAt)).toEqual({ ok: true, value: undefined });
    expect(await requests.remember(record, madeAt)).toEqual({ ok: false, reason: 'key-used' });
  },
);

test.each(['crash-before-send', 'conflict', 'throttle'] as const)(
  'under a key that somebody else took during a fault of kind %s nothing is written (WR-1)',
  async (fault) => {
    const { store, first, second } = await openChanged(fault);
    const other = { ...record, bodyHash: 'other' };
    store.next.meanwhile = () => store.others.create(aNewTransaction({ uuid: uuidOf(2) }), { record: other });

    expect(await store.replace(first, second, record)).toEqual({ ok: false, reason: 'key-used' });
    expect(await store.byUuid(uuidOf(1))).toEqual(first);
    expect(await store.requests.find('record-a', madeAt)).toEqual(other);
  },
);
