import { describe, expect, test } from '@jest/globals';
import { adopt } from '../../../bin/operator/restore/adopt.ts';
import type { RestorableTable } from '../../../bin/operator/restore/adoption.ts';
import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aDeadLetter, busEventText } from '../../support/builders/dead-letters.ts';
import { aClaim, aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, directoryOver } from '../../support/memory/partners.ts';
import { oneByOne } from '../../support/memory/publishing.ts';
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
import { aDeliveryLogWorld } from '../../support/operator/delivery-log-world.ts';

const engine = useEngine();
const uuid = uuidOf(1);
const marker = { uuid, kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;

/** One transaction that the delivery log has sent up to version 2 an hour ago. */
const aStage = async () => {
  const stage = await anAdoptionStage(engine);
  await notify(stage, uuid, 2);
  return stage;
};

/** With that transaction, as of version 2. */
const aStageBefore = async () => {
  const stage = await aStage();
  await create(stage, 1, { version: 2 });
  return stage;
};

/** Complete, as its payment has left it half an hour ago; `at` is when that payment says. */
const createComplete = (
  { transactions }: AdoptionStage,
  { at = '2026-11-21 11:30:00', notifyFromVersion = 1, isDeleted = 0 as 0 | 1 } = {},
) => {
  const payments = [{ id: 7, transaction_id: 8, status: 1, transaction_completed_at: at }];
  const version = isDeleted === 1 ? 12 : 3;
  const fresh = aNewTransaction({ uuid, ndMeta: owner, status: 1, payments, isDeleted }, { version });
  const elementVersions = { ...fresh.elementVersions, payments: 3, own: version };
  return transactions.create({ ...fresh, elementVersions, notifyFromVersion });
};

/** The completion, for partners in these states. */
const completion = async ({ deliveryLog }: AdoptionStage, states: Record<string, Partial<Delivery>>) => {
  const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
  const event = anEvent({ ...facts, claimedAtMs: floor - hour, recipients: Object.keys(states) });
  const deliveries = Object.entries(states).map(([clientId, more]) =>
    aDelivery({ ...facts, clientId, claimedAtMs: floor - hour, ...more }),
  );
  await deliveryLog.addMissing({ event, bodies: someBodies, deliveries });
};

const stateOf = async ({ deliveryLog }: AdoptionStage, clientId: string) => {
  const { state, reason, dueAtMs } = (await deliveryLog.delivery({ eventId: 'completed', clientId })) ?? {};
  return [state, reason, dueAtMs];
};

const acceptedAt = (atMs: number) => ({
  state: 'ACCEPTED' as const,
  timeline: [{ atMs, step: 'accepted' as const }],
});

/** Two hours later: what the collector makes of letters, and what two flushes, the second an hour later, send to partner P. */
const afterwards = ({ deliveryLog, debounceRows, transactions }: AdoptionStage) => {
  const time = { nowMs: 0 };
  const partners = [aPartner({ clientId: 'P', grants: [{ group: 'G' }], webhookUrl: 'https://p.example/' })];
  const world = aDeliveryLogWorld(
    { deliveryLog, debounceRows, time, setVersion: async () => {} },
    { partners },
  );
  world.deps.transactions = oneByOne(transactions.byUuid);
  const collect = createHandler({
    ...{ deliveryLog, clock: world.deps.clock, log: () => {}, report: () => {} },
    partners: directoryOver(createMemoryPartners(partners.map((partner) => ({ partner, secrets: [] })))),
    endpointRequests: { send: async () => {} },
  });
  const sent = async () => {
    const first = await world.flush();
    world.pass({ seconds: 3600 });
    return [...first, ...(await world.flush())];
  };
  const sentTypes = async () => (await sent()).map(({ type }) => type);
  /** The bus gives up the completion for P, whose target is gone. */
  const giveUp = async () => {
    const body = busEventText({ eventId: 'completed', clientId: 'P' });
    await collect({ Records: [aDeadLetter({ code: 'NO_RESOURCE', body })] });
  };
  return { giveUp, sent, sentTypes };
};

describe('the Transactions table restored to before a completion', () => {
  test('DR-10 the completion is sent to nobody else', async () => {
    const stage = await aStageBefore();
    await completion(stage, {
      held: { state: 'HELD' },
      ready: { state: 'READY', dueAtMs: floor + hour },
      again: { state: 'DEAD', reason: 'HTTP_404', dueAtMs: floor + hour },
      dead: { state: 'DEAD', reason: 'HTTP_400' },
      noTryLeft: { state: 'DEAD', reason: 'TARGET_REMOVED' },
      notified: { state: 'ACCEPTED' },
    });

    const report = await adoptOn(stage, ['transactions']);

    expect(report).toMatchObject({ completionsUndone: [uuid], completionsWithheld: 4, completionsAgain: 0 });
    for (const clientId of ['held', 'ready', 'again', 'noTryLeft'])
      expect(await stateOf(stage, clientId)).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
    expect(await stateOf(stage, 'dead')).toEqual(['DEAD', 'HTTP_400', undefined]);
    expect(await stateOf(stage, 'notified')).toEqual(['ACCEPTED', undefined, undefined]);
  });

  test.each([
    ['an hour', floor - hour],
    ['26 hours, which its letter has waited in the queue in part', floor - 26 * hour],
  ])(
    'DR-10 a completion that the bus has had for %s is not sent again when the bus gives it up',
    async (_, atMs) => {
      const stage = await aStageBefore();
      await completion(stage, { P: { ...acceptedAt(atMs), busEventId: 'bus-1' } });

      await adoptOn(stage, ['transactions']);
      const { giveUp, sentTypes } = afterwards(stage);
      await giveUp();

      expect(await sentTypes()).not.toContain('TransactionCompleted');
      expect(await stateOf(stage, 'P')).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
    },
  );

  test('DR-9 DR-10 a repeated adoption marks it as undone once', async () => {
    const stage = await aStageBefore();
    await completion(stage, { P: acceptedAt(floor - hour) });

    await adoptOn(stage, ['transactions']);
    await adoptOn(stage, ['transactions']);

    const kept = await stage.deliveryLog.delivery({ eventId: 'completed', clientId: 'P' });
    expect(kept?.timeline.map(({ atMs, step }) => [atMs, step])).toEqual([
      ...[
        [floor - hour, 'accepted'],
        [floor, 'undone'],
      ],
    ]);
  });

  test('DR-9 of a lost transaction, a repeated adoption withholds no more than the interrupted one', async () => {
    const stage = await aStage();
    await completion(stage, { P: { state: 'HELD' } });
    const recovery = { ...stage.deps.recovery, end: () => Promise.reject(new Error('It died here')) };

    await expect(adoptOn(stage, ['transactions'], { ...stage.deps, recovery })).rejects.toThrow('died');
    const left = await stateOf(stage, 'P');
    const again = await adoptOn(stage, ['transactions']);

    expect(again).toMatchObject({ gone: [uuid], completionsUndone: [uuid], completionsWithheld: 0 });
    expect([left, await stateOf(stage, 'P')]).toEqual(Array(2).fill(['HELD', undefined, undefined]));
  });

  test('DR-10 a completion that nobody has claimed is printed, and claimed by nobody', async () => {
    const stage = await aStageBefore();
    await stage.debounceRows.schedule(marker, floor);

    const report = await adoptOn(stage, ['transactions']);

    expect(report.completionsUndone).toEqual([uuid]);
    expect((await stage.debounceRows.get(marker))?.dueAtMs).toBeUndefined();
  });

  test('DR-10 a completion under a lease is sent to nobody, even after a death', async () => {
    const stage = await aStageBefore();
    await stage.debounceRows.schedule(marker, floor);
    const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
    const claim = aClaim({ key: marker, event: anEvent({ ...facts, claimedAtMs: floor - hour }) });
    await stage.debounceRows.claim({ ...claim, transactionVersion: 2 });

    const deliveryLog = { ...stage.deps.deliveryLog, move: () => Promise.reject(new Error('It died here')) };
    await expect(adoptOn(stage, ['transactions'], { ...stage.deps, deliveryLog })).rejects.toThrow('died');

    await adoptOn(stage, ['transactions']);

    expect(await stage.debounceRows.get(marker)).not.toHaveProperty('inflight');
    expect(await stateOf(stage, 'P1')).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
  });
});

describe('the Debounce table restored', () => {
  test('DR-11 a later completion is sent under a version that nobody has seen', async () => {
    const stage = await aStage();
    await createComplete(stage);

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 1, lifted: 1 });
    expect(await stage.debounceRows.get(marker)).toMatchObject({ version: floor, dueAtMs: floor });
    expect(await stage.transactions.byUuid(uuid)).toMatchObject({ version: floor });
  });

  test.each([
    ['after that time', false],
    ['before, and still to be sent then', true],
  ])(
    'DEL-1 DR-10 a completion of a transaction that was deleted since is sent to nobody: made %s',
    async (_, hasMarker) => {
      const stage = await aStage();
      await createComplete(stage, { isDeleted: 1 });
      if (hasMarker) await stage.debounceRows.schedule(marker, floor);

      const report = await adoptOn(stage, ['debounce']);

      expect(report).toMatchObject({ completionsAgain: 0 });
      expect(await afterwards(stage).sentTypes()).toEqual(['TransactionUpdated']);
    },
  );

  test('DEL-1 DR-10 nor is a kept one', async () => {
    const stage = await aStage();
    await createComplete(stage, { isDeleted: 1 });
    await completion(stage, { P: { state: 'HELD' } });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsWithheld: 1, completionsAgain: 0 });
    expect(await stateOf(stage, 'P')).toEqual(['SUPPRESSED', 'DELETED', undefined]);
  });

  test.each([
    ['before the time that the table is of', { at: '2026-11-21 10:59:58' }],
    ['elsewhere, before its import', { notifyFromVersion: 4 }],
  ])('DR-11 a completion of %s is not', async (_, facts) => {
    const stage = await aStage();
    await createComplete(stage, facts);

    const report = await adoptOn(stage, ['debounce']);

    expect(report.completionsAgain).toBe(0);
    expect(await stage.debounceRows.get(marker)).toBeUndefined();
  });

  test('DR-11 a completion that was kept, or that the bus may have given up, is sent again as stored', async () => {
    const stage = await aStage();
    await createComplete(stage);
    const { timeline } = acceptedAt(floor - 2 * hour);
    await completion(stage, {
      held: { state: 'HELD' },
      lately: acceptedAt(floor - 2 * hour),
      longAgo: acceptedAt(floor - 27 * hour),
      undone: { state: 'ACCEPTED', timeline: [...timeline, { atMs: floor - hour, step: 'undone' }] },
      delivered: { state: 'DELIVERED' },
    });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 2, completionsWithheld: 0 });
    for (const clientId of ['held', 'lately'])
      expect(await stateOf(stage, clientId)).toEqual(['READY', undefined, floor]);
    const lately = await stage.deliveryLog.delivery({ eventId: 'completed', clientId: 'lately' });
    expect(lately?.timeline.at(-1)).toEqual({ atMs: floor, step: 'scheduled', note: 'after a restore' });
    for (const clientId of ['longAgo', 'undone'])
      expect(await stateOf(stage, clientId)).toEqual(['ACCEPTED', undefined, undefined]);
    expect(await stateOf(stage, 'delivered')).toEqual(['DELIVERED', undefined, undefined]);
    expect(await stage.debounceRows.get(marker)).toBeUndefined();
  });

  /** An update for each of these partners, each of a version of its own. */
  const update = async (
    { deliveryLog }: AdoptionStage,
    states: Record<string, Partial<Delivery> & Pick<Delivery, 'from' | 'to'>>,
  ) => {
    for (const [clientId, { from, to, ...more }] of Object.entries(states)) {
      const facts = { eventId: `update-${clientId}`, uuid, from, to, claimedAtMs: floor - hour };
      const event = anEvent({ ...facts, recipients: [clientId] });
      await deliveryLog.addMissing({ event, deliveries: [aDelivery({ ...facts, clientId, ...more })] });
    }
  };
  const updateOf = ({ deliveryLog }: AdoptionStage, clientId: string) =>
    deliveryLog.delivery({ eventId: `update-${clientId}`, clientId });

  test('DR-4 DR-11 partners with an open update, or one on the bus, get one event under its own version', async () => {
    const stage = await aStageBefore();
    await update(stage, {
      P: { from: 1, to: 2, ...acceptedAt(floor - 2 * hour) },
      held: { from: 0, to: 2, state: 'HELD' },
      longAgo: { from: 0, to: 2, ...acceptedAt(floor - 27 * hour) },
      given: { from: 0, to: 2, state: 'DEAD', reason: 'HTTP_400' },
    });
    await completion(stage, { P: acceptedAt(floor - 2 * hour) });

    const report = await adoptOn(stage, ['debounce']);
    const left = await Promise.all(['P', 'held', 'longAgo', 'given'].map((one) => updateOf(stage, one)));
    const again = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ lifted: 1, notified: 0, sentAgain: 2 });
    expect(left.map((one) => one?.state)).toEqual(['READY', 'READY', 'ACCEPTED', 'DEAD']);
    expect(await stage.debounceRows.get({ uuid, kind: 'NOTIFY' })).not.toHaveProperty('dueAtMs');
    expect(again.sentAgain).toBe(0);
    expect(await afterwards(stage).sent()).toMatchObject([{ clientId: 'P', from: 1, to: floor }]);
  });

  test('DR-4 with Transactions restored, open events are due again, and those on the bus are part of the event to everybody', async () => {
    const stage = await aStageBefore();
    await update(stage, {
      P: { from: 1, to: 2, ...acceptedAt(floor - 2 * hour) },
      held: { from: 0, to: 2, state: 'HELD' },
    });

    const report = await adoptOn(stage, ['transactions', 'debounce']);

    expect(report).toMatchObject({ notified: 1, sentAgain: 1 });
    expect(await updateOf(stage, 'P')).toMatchObject({ state: 'ACCEPTED' });
    expect(await updateOf(stage, 'held')).toMatchObject({ state: 'READY' });
  });

  test.each<[string, RestorableTable, boolean, number]>([
    ['where the transactions alone went back, what is kept stays kept', 'transactions', false, 0],
    ['a dry run counts what it would send again, and moves nothing', 'debounce', true, 1],
  ])('DR-4 %s', async (_, table, dryRun, sentAgain) => {
    const stage = await anAdoptionStage(engine);
    await create(stage, 1, { version: 2 });
    await update(stage, { held: { from: 0, to: 2, state: 'HELD' } });
    const deps = { ...stage.deps, step: () => {} };

    expect(await adopt([table], deps, { dryRun, record: async () => {} })).toMatchObject({ sentAgain });

    expect(await updateOf(stage, 'held')).toMatchObject({ state: 'HELD' });
  });

  test('DR-5 of a lost transaction open events end: only its deletion is sent', async () => {
    const stage = await aStage();
    await update(stage, { P: { from: 1, to: 2, state: 'HELD' } });

    const report = await adoptOn(stage, ['transactions', 'debounce']);
    await afterwards(stage).sent();

    expect(report.gone).toEqual([uuid]);
    expect(await updateOf(stage, 'P')).toMatchObject({ state: 'SUPPRESSED', reason: 'DELETED' });
  });
});
