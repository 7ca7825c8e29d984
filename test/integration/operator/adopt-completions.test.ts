import { beforeEach, describe, expect, test } from '@jest/globals';
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

/** In each, the delivery log has sent one transaction up to version 2 an hour ago. */
let stage: AdoptionStage;
beforeEach(async () => {
  stage = await anAdoptionStage(engine);
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

/** The completion, for partners in these states. */
const completion = async (states: Record<string, Partial<Delivery>>) => {
  const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
  const event = anEvent({ ...facts, claimedAtMs: floor - hour, recipients: Object.keys(states) });
  const deliveries = Object.entries(states).map(([clientId, more]) =>
    aDelivery({ ...facts, clientId, claimedAtMs: floor - hour, ...more }),
  );
  await stage.deliveryLog.addMissing({ event, bodies: someBodies, deliveries });
};

const stateOf = async (clientId: string) => {
  const { state, reason, dueAtMs } =
    (await stage.deliveryLog.delivery({ eventId: 'completed', clientId })) ?? {};
  return [state, reason, dueAtMs];
};

const acceptedAt = (atMs: number) => ({
  state: 'ACCEPTED' as const,
  timeline: [{ atMs, step: 'accepted' as const }],
});

/** Two hours later: what the collector makes of letters, and what two flushes, the second an hour later, send to partner P. */
const afterwards = () => {
  const { deliveryLog, debounceRows, transactions } = stage;
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
    await createIncomplete();
    await completion({
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
      expect(await stateOf(clientId)).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
    expect(await stateOf('dead')).toEqual(['DEAD', 'HTTP_400', undefined]);
    expect(await stateOf('notified')).toEqual(['ACCEPTED', undefined, undefined]);
  });

  test('DR-10 a completion that the bus has had for 26 hours, as its letter waited, is not sent again when the bus gives it up', async () => {
    await createIncomplete();
    await completion({ P: { ...acceptedAt(floor - 26 * hour), busEventId: 'bus-1' } });

    await adoptOn(stage, ['transactions']);
    const { giveUp, sentTypes } = afterwards();
    await giveUp();

    expect(await sentTypes()).not.toContain('TransactionCompleted');
    expect(await stateOf('P')).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
  });

  test('DR-9 DR-10 a repeated adoption marks it as undone once', async () => {
    await createIncomplete();
    await completion({ P: acceptedAt(floor - hour) });

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
    await completion({ P: { state: 'HELD' } });
    const recovery = { ...stage.deps.recovery, end: () => Promise.reject(new Error('It died here')) };

    await expect(adoptOn(stage, ['transactions'], { ...stage.deps, recovery })).rejects.toThrow('died');
    const left = await stateOf('P');
    const again = await adoptOn(stage, ['transactions']);

    expect(again).toMatchObject({ gone: [uuid], completionsUndone: [uuid], completionsWithheld: 0 });
    expect([left, await stateOf('P')]).toEqual(Array(2).fill(['HELD', undefined, undefined]));
  });

  test('DR-10 a completion that nobody has claimed is printed, and claimed by nobody', async () => {
    await createIncomplete();
    await stage.debounceRows.schedule(marker, floor);

    const report = await adoptOn(stage, ['transactions']);

    expect(report.completionsUndone).toEqual([uuid]);
    expect((await stage.debounceRows.get(marker))?.dueAtMs).toBeUndefined();
  });

  test('DR-10 a completion under a lease is sent to nobody, even after a death', async () => {
    await createIncomplete();
    await stage.debounceRows.schedule(marker, floor);
    const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
    const claim = aClaim({ key: marker, event: anEvent({ ...facts, claimedAtMs: floor - hour }) });
    await stage.debounceRows.claim({ ...claim, transactionVersion: 2 });

    const deliveryLog = { ...stage.deps.deliveryLog, move: () => Promise.reject(new Error('It died here')) };
    await expect(adoptOn(stage, ['transactions'], { ...stage.deps, deliveryLog })).rejects.toThrow('died');

    await adoptOn(stage, ['transactions']);

    expect(await stage.debounceRows.get(marker)).not.toHaveProperty('inflight');
    expect(await stateOf('P1')).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
  });
});

describe('the Debounce table restored', () => {
  test.each([
    ['after the newest claim of the table', '2026-11-21 11:30:00'],
    ['in the same second', '2026-11-21 11:00:00'],
  ])('DR-11 a completion %s is sent under a version that nobody has seen', async (_, at) => {
    await createComplete({ at });

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
      await createComplete({ isDeleted: 1 });
      if (hasMarker) await stage.debounceRows.schedule(marker, floor);

      const report = await adoptOn(stage, ['debounce']);

      expect(report).toMatchObject({ completionsAgain: 0 });
      expect(await afterwards().sentTypes()).toEqual(['TransactionUpdated']);
    },
  );

  test('DEL-1 DR-10 nor is a kept one', async () => {
    await createComplete({ isDeleted: 1 });
    await completion({ P: { state: 'HELD' } });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsWithheld: 1, completionsAgain: 0 });
    expect(await stateOf('P')).toEqual(['SUPPRESSED', 'DELETED', undefined]);
  });

  test.each([
    ['before the time that the table is of', { at: '2026-11-21 10:59:58' }],
    ['elsewhere, before its import', { notifyFromVersion: 4 }],
  ])('DR-11 a completion of %s is not', async (_, facts) => {
    await createComplete(facts);

    const report = await adoptOn(stage, ['debounce']);

    expect(report.completionsAgain).toBe(0);
    expect(await stage.debounceRows.get(marker)).toBeUndefined();
  });

  test('DR-11 a completion that was kept, or that the bus may have given up, is sent again as stored', async () => {
    await createComplete();
    const { timeline } = acceptedAt(floor - 2 * hour);
    await completion({
      held: { state: 'HELD' },
      lately: acceptedAt(floor - 2 * hour),
      longAgo: acceptedAt(floor - 27 * hour),
      undone: { state: 'ACCEPTED', timeline: [...timeline, { atMs: floor - hour, step: 'undone' }] },
      delivered: { state: 'DELIVERED' },
    });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 2, completionsWithheld: 0 });
    for (const clientId of ['held', 'lately'])
      expect(await stateOf(clientId)).toEqual(['READY', undefined, floor]);
    const lately = await stage.deliveryLog.delivery({ eventId: 'completed', clientId: 'lately' });
    expect(lately?.timeline.at(-1)).toEqual({ atMs: floor, step: 'scheduled', note: 'after a restore' });
    for (const clientId of ['longAgo', 'undone'])
      expect(await stateOf(clientId)).toEqual(['ACCEPTED', undefined, undefined]);
    expect(await stateOf('delivered')).toEqual(['DELIVERED', undefined, undefined]);
    expect(await stage.debounceRows.get(marker)).toBeUndefined();
  });

  /** An update for each of these partners, each of a version of its own. */
  const update = async (states: Record<string, Partial<Delivery> & Pick<Delivery, 'from' | 'to'>>) => {
    for (const [clientId, { from, to, ...more }] of Object.entries(states)) {
      const facts = { eventId: `update-${clientId}`, uuid, from, to, claimedAtMs: floor - hour };
      const event = anEvent({ ...facts, recipients: [clientId] });
      await stage.deliveryLog.addMissing({ event, deliveries: [aDelivery({ ...facts, clientId, ...more })] });
    }
  };
  const both: RestorableTable[] = ['transactions', 'debounce'];
  const updateOf = (clientId: string) =>
    stage.deliveryLog.delivery({ eventId: `update-${clientId}`, clientId });

  test('DR-4 DR-11 partners with an open update, or one on the bus, get one event under its own version', async () => {
    await createIncomplete();
    await update({
      P: { from: 1, to: 2, ...acceptedAt(floor - 2 * hour) },
      held: { from: 0, to: 2, state: 'HELD' },
      longAgo: { from: 0, to: 2, ...acceptedAt(floor - 27 * hour) },
      given: { from: 0, to: 2, state: 'DEAD', reason: 'HTTP_400' },
    });
    await completion({ P: acceptedAt(floor - 2 * hour) });

    const report = await adoptOn(stage, ['debounce']);
    const left = await Promise.all(['P', 'held', 'longAgo', 'given'].map((one) => updateOf(one)));
    const again = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ lifted: 1, notified: 0, sentAgain: 2 });
    expect(left.map((one) => one?.state)).toEqual(['READY', 'READY', 'ACCEPTED', 'DEAD']);
    expect(await stage.debounceRows.get({ uuid, kind: 'NOTIFY' })).not.toHaveProperty('dueAtMs');
    expect(again.sentAgain).toBe(0);
    expect(await afterwards().sent()).toMatchObject([{ clientId: 'P', from: 1, to: floor }]);
  });

  test.each<[string, RestorableTable[], boolean, object, string]>([
    [
      'both went back: what the bus has is in the event to all',
      both,
      false,
      { notified: 1, sentAgain: 1 },
      'READY',
    ],
    [
      'the transactions alone went back: what is kept stays kept',
      ['transactions'],
      false,
      { sentAgain: 0 },
      'HELD',
    ],
    ['a dry run counts what it would send again', ['debounce'], true, { sentAgain: 2 }, 'HELD'],
  ])('DR-4 open events where %s', async (_, tables, dryRun, counts, kept) => {
    await createIncomplete();
    await update({
      P: { from: 1, to: 2, ...acceptedAt(floor - 2 * hour) },
      held: { from: 0, to: 2, state: 'HELD' },
    });
    const deps = { ...stage.deps, step: () => {} };

    expect(await adopt(tables, deps, { dryRun, record: async () => {} })).toMatchObject(counts);

    expect(await updateOf('P')).toMatchObject({ state: 'ACCEPTED' });
    expect(await updateOf('held')).toMatchObject({ state: kept });
  });

  test('DR-5 of a lost transaction open events end: only its deletion is sent', async () => {
    await update({ P: { from: 1, to: 2, state: 'HELD' } });

    const report = await adoptOn(stage, ['transactions', 'debounce']);
    await afterwards().sent();

    expect(report.gone).toEqual([uuid]);
    expect(await updateOf('P')).toMatchObject({ state: 'SUPPRESSED', reason: 'DELETED' });
  });
});
