import { describe, expect, test } from '@jest/globals';
import type { OperatorDeps } from '../../../../../bin/operator/deps.ts';
import { restoreTransaction } from '../../../../../bin/operator/import/restore.ts';
import type { NewTransaction } from '../../../../../functions/shared/domain/transaction/new-transaction.ts';
import { nextState } from '../../../../../functions/shared/domain/transaction/next-state.ts';
import type { Transaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { flushDue } from '../../../../../functions/shared/publish/flush.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aClock } from '../../../../support/builders/manual-clock.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { aBus, aPublishing, directoryOf, memoryStores } from '../../../../support/memory/publishing.ts';
import { createMemorySessions } from '../../../../support/memory/sessions.ts';

const uuid = uuidOf(1);
const partner = aPartner({ clientId: 'A', webhookUrl: 'https://acme.example/' });
/** A new checkout without any content, and an import. */
const opened = { session: 's1', notifyFromVersion: 2 };
const imported = { notifyFromVersion: 2 };

/** One transaction that is written as callers and the operator write it, and what its partner is notified once it rests. */
const aLife = async (begun: Partial<NewTransaction>, values: Partial<Transaction> = {}) => {
  const clock = aClock();
  const { deliveryLog, debounceRows, transactions } = memoryStores(clock.now);
  const made = aNewTransaction({ uuid, ...values }, { updatedAtMs: clock.now().getTime(), ...begun });
  const elementVersions = { ...made.elementVersions, own: 1, ndMeta: 1 };
  for (const name of Object.keys(values) as (keyof typeof elementVersions)[]) elementVersions[name] = 1;
  await transactions.create({ ...made, elementVersions });
  const record = async () => {
    const changedAtMs = clock.now().getTime();
    await debounceRows.recordChange({ uuid, changed: [], dueAtMs: changedAtMs + 120_000 });
  };
  const partners = directoryOf([partner]);
  return {
    change: async (change: Partial<Transaction>) => {
      const before = await transactions.byUuid(uuid);
      const after = before && nextState(before, { ...before.transaction, ...change }, clock.now());
      if (before && after) await transactions.replace(before, after);
      await record();
    },
    restore: async () => {
      const sessions = createMemorySessions();
      await restoreTransaction(uuid, { transactions, sessions, now: clock.now } as unknown as OperatorDeps);
      await record();
    },
    rest: async ({ isConfirmed = true } = {}) => {
      // Changes within one instant are a millisecond apart.
      clock.pass({ seconds: 121 });
      const bus = isConfirmed ? aBus() : silentBus();
      const deps = aPublishing({ bus, transactions, debounceRows, deliveryLog, partners, clock: clock.now });
      await flushDue(deps, { beginUntilMs: clock.now().getTime() + 6_000 });
      return bus.taken.map(({ from, to, message }) => [`${from} to ${to}`, JSON.parse(message).detail]);
    },
    debounceRow: () => debounceRows.get({ uuid, kind: 'NOTIFY' }),
  };
};

/** Its answers never arrive: what it was given may have been sent or not. */
const silentBus = () => ({
  taken: [],
  put: async () => {
    throw new Error('no answer');
  },
});

const gone = { uuid, status: 0, isDeleted: 1, ndMeta: anOwner() };

describe('EV-11 a deletion', () => {
  test('EV-11 has isDeleted 1, and no element, whatever else changed', async () => {
    const life = await aLife(opened);
    await life.change({ customer: { firstName: 'Ada' } });
    await life.rest();

    await life.change({ customer: { firstName: 'Bo' }, guestEmail: 'bo@b.example' });
    await life.change({ isDeleted: 1 });

    expect(await life.rest()).toEqual([['2 to 4', gone]]);
  });

  test.each([
    ['entered by its first request', { session: 's1' }, { customer: { firstName: 'Ada' } }],
    ['opened first, and then changed', opened, {}],
  ])('EV-11 before any event is sent to nobody, now or later: %s', async (_, begun, values) => {
    const life = await aLife(begun, values);
    await life.change({ vehicle: { make: 'Ford' } });
    await life.change({ isDeleted: 1 });

    expect(await life.rest()).toEqual([]);
    expect(await life.rest()).toEqual([]);
    expect(await life.debounceRow()).toMatchObject({ notifiedVersion: 3 });
    expect(await life.debounceRow()).not.toHaveProperty('dueAtMs');
  });

  test('EV-11 is sent once the first event was given to the bus, even unconfirmed, because it may have arrived', async () => {
    const life = await aLife(opened);
    await life.change({ customer: { firstName: 'Ada' } });
    await life.rest({ isConfirmed: false });

    await life.change({ isDeleted: 1 });

    expect(await life.rest()).toEqual([]);
    expect(await life.rest()).toEqual([['2 to 3', gone]]);
  });

  test('EV-11 DEL-1 of an imported transaction is sent, because its partners saw it in lists', async () => {
    const life = await aLife(imported, { customer: { firstName: 'Ada' } });

    await life.change({ isDeleted: 1 });

    expect(await life.rest()).toEqual([['1 to 2', gone]]);
  });

  test('EV-11 of a complete transaction is sent, because its completion was', async () => {
    const life = await aLife(opened, { status: 1 });

    await life.change({ isDeleted: 1 });

    expect(await life.rest()).toEqual([['1 to 2', { ...gone, status: 1 }]]);
  });
});

describe('EV-11 a restored transaction', () => {
  const ada = { customer: { firstName: 'Ada' }, vehicle: { make: 'Ford' } };

  test('EV-11 is sent whole: present elements, and those removed meanwhile', async () => {
    const life = await aLife(opened);
    await life.change(ada);
    await life.rest();
    await life.change({ vehicle: undefined as never });
    await life.change({ isDeleted: 1 });
    await life.rest();

    await life.restore();

    const whole = { uuid, status: 0, ndMeta: anOwner(), vehicle: null, customer: { firstName: 'Ada' } };
    expect(await life.rest()).toEqual([['4 to 5', whole]]);
  });

  test('EV-11 is sent whole although nothing was sent before, without its history', async () => {
    const life = await aLife(opened);
    await life.change(ada);
    await life.change({ isDeleted: 1 });
    await life.rest();

    await life.restore();

    expect(await life.rest()).toEqual([['3 to 4', { uuid, status: 0, ndMeta: anOwner(), ...ada }]]);
  });

  test('EV-10 EV-11 is sent whole although only its deletion was sent', async () => {
    const life = await aLife(opened);
    await life.change({ isDeleted: 1 });
    const deleted = await life.rest();

    await life.restore();

    expect(deleted).toEqual([]);
    expect(await life.rest()).toEqual([['2 to 3', { uuid, status: 0, ndMeta: anOwner() }]]);
  });

  test('EV-11 is sent whole before its deletion was sent, without the deletion', async () => {
    const life = await aLife(opened);
    await life.change(ada);
    await life.rest();
    await life.change({ isDeleted: 1 });

    await life.restore();

    expect(await life.rest()).toEqual([['2 to 4', { uuid, status: 0, ndMeta: anOwner(), ...ada }]]);
  });
});
