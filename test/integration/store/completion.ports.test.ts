import { describe, expect, test } from '@jest/globals';
import {
  createImportWriter,
  type ImportWriter,
} from '../../../bin/operator/store/transactions/import-writer.ts';
import type { CompletionMarkerKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { BusAnswer } from '../../../functions/shared/outbound/event-bus.ts';
import { flushDue } from '../../../functions/shared/publish/flush.ts';
import { publishNow } from '../../../functions/shared/publish/publish-now.ts';
import type { DebounceRowStore } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import type { DeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { type ChooseFault, type Fault, faultOfNext } from '../../support/engine/faults.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, directoryOver } from '../../support/memory/partners.ts';
import { aBus, aPublishing, memoryStores } from '../../support/memory/publishing.ts';

const engine = useEngine();

type Stores = {
  transactions: ImportWriter & Pick<TransactionReader, 'byUuid' | 'byUuids'>;
  debounceRows: DebounceRowStore;
  deliveryLog: DeliveryLogStore;
};

const engineStores = async (clock: () => Date, choose?: ChooseFault): Promise<Stores> => {
  const place = { ...(await newTables(engine, undefined, choose)), clock };
  return {
    transactions: { ...readerWithoutDrift(place), ...createImportWriter(place) },
    debounceRows: createDebounceRowStore(place),
    deliveryLog: createDeliveryLogStore(place),
  };
};

const uuid = uuidOf(1);
const marker: CompletionMarkerKey = { uuid, kind: 'COMPLETED' };
const paidAtMs = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;

const changed = (
  stored: StoredTransaction,
  values: Partial<StoredTransaction['transaction']>,
  updatedAtMs = paidAtMs,
): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs,
  transaction: { ...stored.transaction, ...values },
});

const paid = { status: 1 as const, editable: false, payments: [{ id: 1, is_selected: 1 }] };

/** One incomplete transaction, a partner with an endpoint, and the clock at the moment of the payment. */
const aWorld = async (newStores: (clock: () => Date) => Promise<Stores>, answer?: () => BusAnswer) => {
  const time = { nowMs: paidAtMs };
  const clock = () => new Date(time.nowMs);
  const stores = await newStores(clock);
  const bus = aBus(answer);
  const partner = aPartner({ clientId: 'P1', webhookUrl: 'https://p1.example/' });
  const deps = aPublishing({
    ...stores,
    clock,
    bus,
    partners: directoryOver(createMemoryPartners([{ partner, secrets: [] }])),
  });
  const created = await stores.transactions.create(aNewTransaction({ uuid }));
  if (!created.ok) throw new Error(created.reason);
  return {
    ...stores,
    time,
    bus,
    created: created.value,
    complete: async () => {
      const completed = await stores.transactions.replace(created.value, changed(created.value, paid));
      if (!completed.ok) throw new Error(completed.reason);
      return completed.value;
    },
    flush: () => flushDue(deps, { beginUntilMs: Number.POSITIVE_INFINITY }),
    /** What publish-dormant does when a message names the completion. */
    publish: () => publishNow(deps, [marker], Number.POSITIVE_INFINITY),
  };
};

describe.each([
  {
    name: 'stand-in in memory',
    newStores: async (clock: () => Date): Promise<Stores> => memoryStores(clock),
  },
  { name: 'DynamoDB engine', newStores: (clock: () => Date) => engineStores(clock) },
])('$name', ({ newStores }) => {
  const world = (answer?: () => BusAnswer) => aWorld(newStores, answer);

  describe('the marker', () => {
    test('I8 is created by the completing change, due at once', async () => {
      const { complete, debounceRows } = await world();

      await complete();

      const fresh = { version: 2, dueAtMs: paidAtMs, revision: 0, changeCount: 0 };
      expect(await debounceRows.get(marker)).toEqual({ ...marker, ...fresh });
    });

    test('I8 is not created by other changes, nor for an initially complete transaction', async () => {
      const { transactions, created, debounceRows } = await world();
      const edited = await transactions.replace(created, changed(created, { guestEmail: 'a@b.example' }));
      const deleted =
        edited.ok && (await transactions.replace(edited.value, changed(edited.value, { isDeleted: 1 })));
      await transactions.createMany([aNewTransaction({ uuid: uuidOf(2), status: 1 })]);
      const one = await transactions.create(aNewTransaction({ uuid: uuidOf(3), status: 1 }));
      if (one.ok) await transactions.replace(one.value, changed(one.value, { guestEmail: 'a@b.example' }));

      expect(deleted).toMatchObject({ ok: true });
      for (const number of [1, 2, 3])
        expect(await debounceRows.get({ uuid: uuidOf(number), kind: 'COMPLETED' })).toBeUndefined();
    });

    test('I8 is not created by a refused payment', async () => {
      const { transactions, created, debounceRows } = await world();
      const record: IdempotencyRecord = {
        id: 'key',
        bodyHash: '',
        uuid: uuidOf(2),
        answer: { status: 201, headers: {}, body: '' },
        expiresAtMs: paidAtMs + day,
      };
      await transactions.create(aNewTransaction({ uuid: uuidOf(2) }), { record });
      const edited = await transactions.replace(created, changed(created, { guestEmail: 'a@b.example' }));

      const late = await transactions.replace(created, changed(created, paid));
      const again =
        edited.ok && (await transactions.replace(edited.value, changed(edited.value, paid), record));

      expect([late, again]).toEqual([
        { ok: false, reason: 'changed-meanwhile' },
        { ok: false, reason: 'key-used' },
      ]);
      expect(await debounceRows.get(marker)).toBeUndefined();
    });

    test('I8 of twenty parallel payments one completes', async () => {
      const { complete, debounceRows } = await world();

      const all = await Promise.allSettled(Array.from({ length: 20 }, complete));

      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await debounceRows.get(marker)).toMatchObject({ version: 2, revision: 0 });
    });

    test('I4 is completed only for the event in flight', async () => {
      const { complete, publish, debounceRows, time, flush } = await world(() => ({
        outcome: 'unconfirmed',
      }));
      await complete();
      await publish();
      const before = await debounceRows.get(marker);
      const ofAnother = {
        eventId: 'another',
        changeCount: 0,
        to: 2,
        nowMs: paidAtMs,
        rescheduleAtMs: paidAtMs,
      };

      expect(await debounceRows.complete(marker, ofAnother)).toBe(false);
      expect(await debounceRows.get(marker)).toEqual(before);
      time.nowMs = paidAtMs + 20_000;
      expect((await flush()).polled).toBe(1);
    });

    test('I12 that is finished is never due again, cannot be scheduled, and expires after 30 days', async () => {
      const { complete, publish, debounceRows, time, flush } = await world();
      await complete();
      await publish();

      const completed = { version: 2, revision: 2, changeCount: 0, lastSentAtMs: paidAtMs };
      expect(await debounceRows.get(marker)).toEqual({ ...marker, ...completed });
      expect(await debounceRows.schedule(marker, paidAtMs)).toBe(false);
      time.nowMs += 60_000;
      expect((await flush()).polled).toBe(0);
      time.nowMs = paidAtMs + 30 * day;
      expect(await debounceRows.get(marker)).toBeUndefined();
    });
  });

  describe('a completed payment', () => {
    test('I7 is published by one event of one version, by two messages that name it and a poll at the same time', async () => {
      const { complete, publish, bus, flush, deliveryLog } = await world();
      await complete();

      await Promise.all([publish(), publish(), flush()]);

      expect(bus.taken).toMatchObject([{ clientId: 'P1', type: 'TransactionCompleted', from: 1, to: 2 }]);
      const [{ message, eventId } = { message: '', eventId: '' }] = bus.taken;
      expect(JSON.parse(message).detail).toMatchObject({ uuid, status: 1, payments: [{ id: 1 }] });
      expect(await deliveryLog.delivery({ eventId, clientId: 'P1' })).toMatchObject({ state: 'ACCEPTED' });
    });
  });
});

test.each<Fault>(['conflict', 'answer-lost', 'answer-and-token-lost', 'duplicate'])(
  'I8 the completing write leaves one marker, whatever happens on the way: %s',
  async (fault) => {
    const { next, choose } = faultOfNext();
    const { complete, debounceRows } = await aWorld((clock) => engineStores(clock, choose));
    next.fault = fault;

    await complete();

    expect(await debounceRows.get(marker)).toMatchObject({ version: 2, revision: 0, changeCount: 0 });
  },
);
