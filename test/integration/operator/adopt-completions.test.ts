import { beforeEach, describe, expect, test } from '@jest/globals';
import { adopt } from '../../../bin/operator/restore/adopt.ts';
import type { RestorableTable } from '../../../bin/operator/restore/adoption.ts';
import { owe } from '../../../functions/shared/events/table.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
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
  sentAfterwards,
} from '../../support/operator/adoption-stage.ts';

const engine = useEngine();
const uuid = uuidOf(1);
const key = { uuid, kind: 'COMPLETED' } as const;
const marker = { ...key, version: 3, dueAtMs: floor, revision: 0 };

/** In each, one transaction was sent up to version 2 an hour ago, to a partner with a webhook. */
let stage: AdoptionStage;
beforeEach(async () => {
  stage = await anAdoptionStage(engine);
  const partner = aPartner({ clientId: 'P1', name: 'p1', webhookUrl: 'https://p.example/' });
  await stage.deps.partners.create({ partner, secrets: [] }, 's');
  await notify(stage, uuid, 2);
});

/** That transaction, as of version 2. */
const createIncomplete = () => create(stage, 1, { version: 2 });

/** Complete, as its payment has left it half an hour ago; `at` is when that payment says. */
const createComplete = ({
  at = '2026-11-21 11:30:00',
  notifyFromVersion = 1,
  isDeleted = 0 as 0 | 1,
} = {}) => {
  const payments = [{ id: 7, transaction_id: 8, status: 1, transaction_completed_at: at }];
  const version = isDeleted === 1 ? 12 : 3;
  const fresh = aNewTransaction({ uuid, ndMeta: owner, status: 1, payments, isDeleted }, { version });
  const elementVersions = { ...fresh.elementVersions, payments: 3, own: version };
  return stage.transactions.create({ ...fresh, elementVersions, notifyFromVersion });
};

const completion = (more: object = {}) =>
  notify(stage, uuid, 3, { type: 'TransactionCompleted', status: 1, ...more });
const oweCompletion = (reason: string) =>
  owe(stage.debounce, { uuid, clientId: 'P1', completed: 3, reason, tries: 1, dueAtMs: floor });
const passes = async () => (await stage.debounce.passesOf('P1')).map(({ does, sinceMs }) => [does, sinceMs]);

describe('the Transactions table restored to before a completion', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['that the bus has', () => completion()],
    ['that is still to be sent', () => stage.debounce.save(marker)],
    [
      'that a sender died with',
      () => stage.debounce.save({ ...marker, leasedTo: 3, leasedUntilMs: floor - 1 }),
    ],
    ['that a partner is owed', () => oweCompletion('HTTP_404')],
    ['whose dead letter came', () => completion().then(() => oweCompletion('TARGET_REMOVED'))],
  ])('DR-10 a completion %s is listed, and sent to nobody', async (_, before) => {
    await createIncomplete();
    await before();

    const report = await adoptOn(stage, ['transactions']);

    expect(report).toMatchObject({ completionsUndone: [uuid], completionsAgain: 0 });
    expect((await sentAfterwards(stage)).join()).not.toContain('Completed');
    const debt = { uuid, kind: 'BACKLOG', clientId: 'P1', of: 'TransactionCompleted' } as const;
    expect(await stage.debounce.read([key, debt])).toEqual([]);
  });

  test('DR-5 DR-9 a lost transaction is sent as deleted, and once more reported by a repeated adoption', async () => {
    await completion();
    await oweCompletion('HTTP_404');
    const recovery = { ...stage.deps.recovery, end: () => Promise.reject(new Error('It died here')) };

    await expect(adoptOn(stage, ['transactions'], { ...stage.deps, recovery })).rejects.toThrow('died');
    const again = await adoptOn(stage, ['transactions']);

    expect(again).toMatchObject({ gone: [uuid], completionsUndone: [uuid] });
    expect((await stage.transactions.byUuid(uuid))?.transaction).toMatchObject({
      ...{ isDeleted: 1, status: 1, ndMeta: owner },
    });
    expect(await sentAfterwards(stage)).toEqual([`Updated 2-${floor}`]);
  });
});

describe('the Debounce table restored', () => {
  test.each([
    ['after the newest line of the table', '2026-11-21 11:30:00'],
    ['in the minute before', '2026-11-21 10:59:30'],
  ])('DR-11 a completion %s is sent', async (_, at) => {
    await createComplete({ at });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 1, lifted: 0 });
    expect(await stage.debounce.read([key])).toMatchObject([{ version: 3, dueAtMs: floor }]);
    expect(await sentAfterwards(stage)).toContain('Completed 2-3');
  });

  test.each([
    ['after that time', false],
    ['before, and still to be sent then', true],
  ])(
    'DEL-1 DR-10 a completion of a transaction that was deleted since is sent to nobody: made %s',
    async (_, hasMarker) => {
      await createComplete({ isDeleted: 1 });
      if (hasMarker) await stage.debounce.save(marker);

      const report = await adoptOn(stage, ['debounce']);

      expect(report).toMatchObject({ completionsAgain: 0 });
      expect((await sentAfterwards(stage)).join()).not.toContain('Completed');
    },
  );

  test.each([
    ['of long before the time that the table is of', { at: '2026-11-21 10:58:58' }],
    ['elsewhere, before its import', { notifyFromVersion: 4 }],
  ])('DR-11 a completion %s is not', async (_, facts) => {
    await createComplete(facts);

    const report = await adoptOn(stage, ['debounce']);

    expect(report.completionsAgain).toBe(0);
    expect(await stage.debounce.read([key])).toEqual([]);
  });

  test('DR-4 DR-11 what the bus may have given up since, and what waited, is sent again', async () => {
    await createComplete();
    await completion();
    await create(stage, 2, { version: 2 });
    await owe(stage.debounce, { uuid: uuidOf(2), clientId: 'P1', from: 0, reason: 'PAUSED', tries: 1 });
    const longAgo = { atMs: floor - 27 * hour };
    await create(stage, 3, { version: 1 });
    await notify(stage, uuidOf(2), 2, longAgo);
    await notify(stage, uuidOf(3), 1, longAgo);

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 0, sentAgain: 1 });
    expect(await passes()).toEqual([
      ['wake', undefined],
      ['replay', floor - 26 * hour],
    ]);
    expect((await sentAfterwards(stage)).toSorted()).toEqual([
      ...['Completed 2-3', 'Updated 0-2', 'Updated 1-3', 'Updated 2-3'],
    ]);
  });

  test('DR-11 a pass that came back with the table ends: a withhold would end what is sent since', async () => {
    await createIncomplete();
    const withhold = { kind: 'PASS', clientId: 'P1', id: 'withhold', does: 'withhold', revision: 0 } as const;
    await stage.debounce.save({ ...withhold, dueAtMs: floor - hour });

    await adoptOn(stage, ['debounce']);

    expect((await passes()).map(([does]) => does)).toEqual(['wake', 'replay']);
  });

  test.each<[string, RestorableTable[], boolean, string[]]>([
    ['both went back', ['transactions', 'debounce'], false, ['wake', 'replay']],
    ['the transactions alone went back: nothing is sent again', ['transactions'], false, []],
    ['a dry run', ['debounce'], true, []],
  ])('DR-4 passes where %s', async (_, tables, dryRun, expected) => {
    await createIncomplete();
    const deps = { ...stage.deps, step: () => {} };

    await adopt(tables, deps, { dryRun, record: async () => {} });

    expect((await passes()).map(([does]) => does)).toEqual(expected);
  });

  test('DR-4 where both went back, one event has all of the transaction, and pays what was owed', async () => {
    await createIncomplete();
    await owe(stage.debounce, { uuid, clientId: 'P1', from: 1, reason: 'HTTP_404', tries: 1 });

    const report = await adoptOn(stage, ['transactions', 'debounce']);

    expect(report).toMatchObject({ notified: 1, sentAgain: 1 });
    expect(await sentAfterwards(stage)).toEqual([`Updated 1-${floor}`]);
  });
});
