import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { notifyKey } from '../../../functions/shared/events/rows.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import { raiseMark, readMark } from '../../../functions/shared/store/transactions/marks.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import {
  type AdoptionStage,
  adoptOn,
  anAdoptionStage,
  create,
  floor,
  hour,
  notify,
  owner,
} from '../../support/operator/adoption-stage.ts';
import { mortalAfter } from '../../support/operator/mortal.ts';
import { now } from '../../support/operator/operator.ts';

const engine = useEngine();
const aStage = () => anAdoptionStage(engine);

const record = (id: string, madeAtMs: number): IdempotencyRecord => ({
  ...{ id, bodyHash: 'b', uuid: uuidOf(1), expiresAtMs: madeAtMs + 24 * hour },
  answer: { status: 201, headers: {}, body: '{}' },
});

const payment = (id: number) => ({ payments: [{ id, transaction_id: id + 1, status: 0 }] });

/** Sent beyond the restored version; sent up to it; never sent; gone; and one that only the log of events has. */
const anEstate = async () => {
  const stage = await aStage();
  await create(stage, 1, { version: 2 });
  await notify(stage, uuidOf(1), 4);
  await create(stage, 2, { version: 3 });
  await notify(stage, uuidOf(2), 3);
  await create(stage, 3, { session: 's', notifyFromVersion: 2 });
  await notify(stage, uuidOf(4), 2);
  await notify(stage, uuidOf(4), 3, { type: 'TransactionCompleted' });
  const paid = aNewTransaction({ uuid: uuidOf(5), ndMeta: owner, ...payment(700) }, { version: 2 });
  await stage.transactions.create(paid);
  await stage.requests.remember(record('before', floor - 2 * hour), now);
  await stage.requests.remember(record('after', floor - hour / 2), now);
  return stage;
};

describe('the Transactions table restored', () => {
  test('V1-10 a checkout that its user has continued since belongs to the user again', async () => {
    const stage = await aStage();
    await create(stage, 1, { session: 'anonymous' });
    await create(stage, 2, { session: 'another' });
    await stage.deps.sessions.endBySignIn('anonymous', 'user-A', now);

    await adoptOn(stage, ['transactions']);

    const sessions = [1, 2].map(async (number) => (await stage.transactions.byUuid(uuidOf(number)))?.session);
    expect(await Promise.all(sessions)).toEqual(['user-A', 'another']);
    expect(await stage.deps.listing.audit()).toMatchObject({ entryDrift: [], counterDrift: [] });
  });

  test('DR-3 DR-4 DR-5 DR-8 the result for each transaction', async () => {
    const stage = await anEstate();

    const report = await adoptOn(stage, ['transactions']);

    expect(report).toMatchObject({
      ...{ transactions: 4, lifted: 3, notified: 1, gone: [uuidOf(4)], completionsUndone: [uuidOf(4)] },
      recordsForgotten: 1,
    });
    const versions = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => (await stage.transactions.byUuid(uuidOf(number)))?.version),
    );
    expect(versions).toEqual([floor, floor, floor, floor, floor]);
    expect(await stage.transactions.byUuid(uuidOf(3))).toMatchObject({ notifyFromVersion: floor + 1 });
    const gone = await stage.transactions.byUuid(uuidOf(4));
    expect(gone?.transaction).toMatchObject({ isDeleted: 1, ndMeta: owner });
    expect(await stage.requests.find('before', now)).toBeDefined();
    expect(await stage.requests.find('after', now)).toBeUndefined();
    expect(await scheduled(stage)).toEqual([uuidOf(1), uuidOf(4), uuidOf(5)]);
    expect((await stage.deps.listing.audit()).entryDrift).toEqual([]);
    expect(await stage.deps.recovery.underWay()).toBeUndefined();
  });

  test('DR-8 S-61 a transaction that was erased after the restore does not make the restored table look newer', async () => {
    const stage = await anEstate();
    await create(stage, 6, { erasedAtMs: floor - 1, updatedAtMs: floor - 1 });

    const report = await adoptOn(stage, ['transactions']);

    expect(report.recordsForgotten).toBe(1);
    expect(await stage.requests.find('after', now)).toBeUndefined();
  });

  test.each([
    [['transactions'], 900],
    [['listing'], 900],
    [['debounce'], 0],
  ] as const)('DR-3 V1-8 after %j retention continues from %d days ago', async (tables, daysAgo) => {
    const stage = await anEstate();
    const marks = ['retention-delete', 'retention-erase'] as const;
    for (const name of marks) await raiseMark(stage.access, name, { n: floor });
    const day = 24 * hour;
    await create(stage, 6, { updatedAtMs: floor - 950 * day });
    await create(stage, 7, { session: 's', updatedAtMs: floor - 900 * day });
    await create(stage, 8, { session: 's', updatedAtMs: floor - 950 * day, erasedAtMs: floor - 950 * day });

    await adoptOn(stage, [...tables]);

    const found = await Promise.all(marks.map((name) => readMark(stage.access, name)));
    expect(found).toEqual(marks.map(() => expect.objectContaining({ n: floor - daysAgo * day })));
  });

  test('DR-5 a lost transaction that a sender died with has no known owner, so a person sends its deletion', async () => {
    const stage = await anEstate();
    const [lost, unheard] = [uuidOf(7), uuidOf(8)];
    await stage.debounce.save({ ...notifyKey(lost), revision: 0, leasedTo: 2, leasedUntilMs: floor });
    await notify(stage, unheard, 2, { outcome: 'WITHHELD', reason: 'MAY_NOT' });

    const { byHand, gone } = await adoptOn(stage, ['transactions']);

    expect(byHand).toEqual([{ about: `notify partners that ${lost} is deleted: its owner is unknown` }]);
    expect(gone).toEqual([uuidOf(4)]);
  });

  test('DR-9 an interrupted adoption continues above its own version, not above that of the second run', async () => {
    const stage = await anEstate();
    const note = { floor: floor - 5_000, tables: ['transactions'], restoredToMs: floor - hour };
    await stage.deps.recovery.begin({ ...note, largestId: 0, lastSequenceNumber: 100 });

    await adoptOn(stage, ['transactions']);

    expect(await stage.transactions.byUuid(uuidOf(2))).toMatchObject({ version: floor - 5_000 });
  });

  test('DR-9 the same command has the same result wherever it dies', async () => {
    const undisturbed = await anEstate();
    await adoptOn(undisturbed, ['transactions']);
    const wanted = await endOf(undisturbed);

    for (let changes = 0; ; changes += 1) {
      const stage = await anEstate();
      const died = await adoptOn(stage, ['transactions'], dyingAfter(changes, stage)).catch(() => undefined);
      const again = await adoptOn(stage, ['transactions']);
      expect(await endOf(stage)).toEqual(wanted);
      if (died) break;
      expect([again.gone, again.completionsUndone]).toEqual([[uuidOf(4)], [uuidOf(4)]]);
      expect(changes).toBeLessThan(40);
    }
  });
});

describe('the Listing table restored', () => {
  test('DR-6 ids and sequence numbers continue above those of all transactions', async () => {
    const stage = await anEstate();
    const sequence = await stage.deps.recovery.sequences();
    await emptyListing(stage);

    await adoptOn(stage, ['listing']);

    expect(await stage.deps.ids.next()).toBe(702);
    const fresh = await create(stage, 6);
    expect(fresh).toMatchObject({ ok: true, value: { sequenceNumber: sequence.sequenceNumbers + 1 } });
    expect((await stage.deps.listing.audit()).entryDrift).toEqual([]);
  });

  test('DR-6 together with Transactions, ids that may have been issued since are skipped', async () => {
    const stage = await anEstate();
    const { sequenceNumbers } = await stage.deps.recovery.sequences();
    await emptyListing(stage);

    await adoptOn(stage, ['transactions', 'listing']);

    // What is gone comes back behind all others, before the listing is mended.
    expect(await stage.transactions.byUuid(uuidOf(4))).toMatchObject({ sequenceNumber: sequenceNumbers + 1 });

    // One a millisecond since the last change that is left, an hour ago.
    expect(await stage.deps.ids.next()).toBe(701 + hour + 1);
  });
});

describe('the Debounce table restored', () => {
  test('DR-4 a pending change is due again, and versions stay: the same range has the same id', async () => {
    const stage = await aStage();
    await create(stage, 1, { version: 4 });
    await notify(stage, uuidOf(1), 2);
    await create(stage, 2, { version: 2 });
    await notify(stage, uuidOf(2), 2);

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ lifted: 0, notified: 0, gone: [] });
    expect(await stage.transactions.byUuid(uuidOf(1))).toMatchObject({ version: 4 });
    expect(await scheduled(stage)).toEqual([uuidOf(1)]);
  });
});

/** The transactions whose debounce rows are due some time. */
const scheduled = async ({ debounce }: AdoptionStage) => {
  const found = await debounce.read([1, 2, 3, 4, 5].map(uuidOf).map(notifyKey));
  return found
    .filter(({ dueAtMs }) => dueAtMs !== undefined)
    .map(({ uuid }) => uuid)
    .sort();
};

/** The content of the tables, without sequence numbers, of which a run that died may have taken some. */
const endOf = async (stage: AdoptionStage) => {
  const stored = await Promise.all([1, 2, 3, 4, 5].map((one) => stage.transactions.byUuid(uuidOf(one))));
  return {
    stored: stored.map((one) => one && { ...one, sequenceNumber: 0 }),
    scheduled: await scheduled(stage),
    drift: (await stage.deps.listing.audit()).entryDrift,
    records: [await stage.requests.find('before', now), await stage.requests.find('after', now)],
    underWay: await stage.deps.recovery.underWay(),
  };
};

/** Permits this many changes, and dies at the next. */
const dyingAfter = (count: number, { deps }: AdoptionStage) => {
  const mortal = mortalAfter(count);
  const recovery = [...['begin', 'end', 'forgetRecord', 'sequenceNumbersAtLeast', 'retentionAgain']];
  return {
    ...deps,
    transactions: mortal(deps.transactions, ['replace', 'create']),
    debounce: mortal(deps.debounce, ['recordChange', 'save']),
    recovery: mortal(deps.recovery, recovery),
    listing: mortal(deps.listing, ['repair']),
  };
};

const emptyListing = async ({ access: { documents, listingTable: TableName } }: AdoptionStage) => {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
  for (const { pk, sk } of Items) await documents.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
};
