import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { aClaim, aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import {
  type AdoptionStage,
  adoptOn,
  anAdoptionStage,
  create,
  floor,
  hour,
  owner,
  tell,
} from '../../support/operator/adoption-stage.ts';

const engine = useEngine();
const uuid = uuidOf(1);
const marker = { uuid, kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;

/** One transaction that the ledger has told up to version 2 an hour ago. */
const aStage = async () => {
  const stage = await anAdoptionStage(engine);
  await tell(stage, uuid, 2);
  return stage;
};

/** Complete, as its payment has left it half an hour ago; `at` is when that payment says. */
const createComplete = (
  { transactions }: AdoptionStage,
  { at = '2026-11-21 11:30:00', silentUpToVersion = 0 } = {},
) => {
  const payments = [{ id: 7, transaction_id: 8, status: 1, transaction_completed_at: at }];
  const fresh = aNewTransaction({ uuid, ndMeta: owner, status: 1, payments }, { version: 3 });
  const elementVersions = { ...fresh.elementVersions, payments: 3 };
  return transactions.create({ ...fresh, elementVersions, silentUpToVersion });
};

/** The completion, for partners in these states. */
const completion = async ({ ledger }: AdoptionStage, states: Record<string, Partial<Delivery>>) => {
  const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
  const event = anEvent({ ...facts, claimedAtMs: floor - hour, recipients: Object.keys(states) });
  const deliveries = Object.entries(states).map(([clientId, more]) =>
    aDelivery({ ...facts, clientId, claimedAtMs: floor - hour, ...more }),
  );
  await ledger.addMissing({ event, bodies: someBodies, deliveries });
};

const stateOf = async ({ ledger }: AdoptionStage, clientId: string) => {
  const { state, reason, dueAtMs } = (await ledger.delivery({ eventId: 'completed', clientId })) ?? {};
  return [state, reason, dueAtMs];
};

describe('the Transactions table put back to before a completion', () => {
  test('DR-10 the completion is sent to nobody any more who has not got it', async () => {
    const stage = await aStage();
    await create(stage, 1, { version: 2 });
    await completion(stage, {
      held: { state: 'HELD' },
      ready: { state: 'READY', dueAtMs: floor + hour },
      again: { state: 'DEAD', reason: 'HTTP_404', dueAtMs: floor + hour },
      dead: { state: 'DEAD', reason: 'HTTP_400' },
      told: { state: 'ACCEPTED' },
    });

    const report = await adoptOn(stage, ['transactions']);

    expect(report).toMatchObject({ completionsUndone: [uuid], completionsWithheld: 3, completionsAgain: 0 });
    for (const clientId of ['held', 'ready', 'again'])
      expect(await stateOf(stage, clientId)).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
    expect(await stateOf(stage, 'dead')).toEqual(['DEAD', 'HTTP_400', undefined]);
    expect(await stateOf(stage, 'told')).toEqual(['ACCEPTED', undefined, undefined]);
  });

  test('DR-10 one that nobody has claimed is named, and claimed by nobody', async () => {
    const stage = await aStage();
    await create(stage, 1, { version: 2 });
    await stage.cursors.schedule(marker, floor);

    const report = await adoptOn(stage, ['transactions']);

    expect(report.completionsUndone).toEqual([uuid]);
    expect((await stage.cursors.get(marker))?.dueAtMs).toBeUndefined();
  });

  test('DR-10 of one that was being sent, the lease brings nobody anything', async () => {
    const stage = await aStage();
    await create(stage, 1, { version: 2 });
    await stage.cursors.schedule(marker, floor);
    const facts = { eventId: 'completed', type: 'TransactionCompleted', uuid, from: 2, to: 3 } as const;
    const claim = aClaim({ key: marker, event: anEvent(facts), deliveries: [aDelivery(facts)] });
    await stage.cursors.claim({ ...claim, transactionVersion: 2 });

    await adoptOn(stage, ['transactions']);

    expect(await stage.cursors.get(marker)).not.toHaveProperty('inflight');
    expect(await stateOf(stage, 'P1')).toEqual(['SUPPRESSED', 'UNDONE', undefined]);
  });
});

describe('the Debounce table put back', () => {
  test('DR-11 a completion since then is told under a version that nobody has seen', async () => {
    const stage = await aStage();
    await createComplete(stage);

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 1, lifted: 1 });
    expect(await stage.cursors.get(marker)).toMatchObject({ version: floor, dueAtMs: floor });
    expect(await stage.transactions.byUuid(uuid)).toMatchObject({ version: floor });
  });

  test.each([
    ['before the time that the table is of', { at: '2026-11-21 10:59:58' }],
    ['elsewhere, before its import', { silentUpToVersion: 3 }],
  ])('DR-11 one of %s is not', async (_, facts) => {
    const stage = await aStage();
    await createComplete(stage, facts);

    const report = await adoptOn(stage, ['debounce']);

    expect(report.completionsAgain).toBe(0);
    expect(await stage.cursors.get(marker)).toBeUndefined();
  });

  test('DR-11 one that was kept, or that the bus may have given up since, is sent again as it was', async () => {
    const stage = await aStage();
    await createComplete(stage);
    const acceptedAt = (atMs: number) => ({
      state: 'ACCEPTED' as const,
      timeline: [{ atMs, step: 'accepted' as const }],
    });
    await completion(stage, {
      held: { state: 'HELD' },
      lately: acceptedAt(floor - 2 * hour),
      longAgo: acceptedAt(floor - 27 * hour),
      delivered: { state: 'DELIVERED' },
    });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ completionsAgain: 2, completionsWithheld: 0 });
    expect(await stateOf(stage, 'held')).toEqual(['READY', undefined, floor]);
    expect(await stateOf(stage, 'lately')).toEqual(['READY', undefined, floor]);
    expect(await stateOf(stage, 'longAgo')).toEqual(['ACCEPTED', undefined, undefined]);
    expect(await stateOf(stage, 'delivered')).toEqual(['DELIVERED', undefined, undefined]);
    expect(await stage.cursors.get(marker)).toBeUndefined();
  });

  test('DR-11 an event that the bus may have given up since is told anew, and stays as it is', async () => {
    const stage = await anAdoptionStage(engine);
    await create(stage, 1, { version: 2 });
    await tell(stage, uuid, 2);
    const sent = { eventId: 'sent', uuid, from: 1, to: 2, claimedAtMs: floor - hour } as const;
    await stage.ledger.addMissing({ deliveries: [aDelivery({ ...sent, state: 'ACCEPTED' })] });

    const report = await adoptOn(stage, ['debounce']);

    expect(report).toMatchObject({ told: 1, deliveriesEnded: 0 });
    expect(await stage.cursors.get({ uuid, kind: 'NOTIFY' })).toHaveProperty('dueAtMs');
    expect(await stage.ledger.delivery({ eventId: 'sent', clientId: 'P1' })).toMatchObject({
      state: 'ACCEPTED',
    });
  });
});
