import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../functions/shared/domain/event/delivery.ts';
import { sendAgainSince, sendKeptAgain } from '../../../../../functions/shared/replay/partner-walk.ts';
import type { DeliveryPageAsked } from '../../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aV2Partner } from '../../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const second = 1_000;
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const { clientId } = aPartner();

/** So many events, one a second, the last of them a second before noon: the n-th of transaction n. */
const aWorld = async (count: number, factsOf: (n: number) => Partial<Delivery> = () => ({})) => {
  const transactions = Array.from({ length: count }, (_, n) =>
    aNewTransaction({ uuid: uuidOf(n) }, { version: 9 }),
  );
  const world = await aV2Partner({ transactions });
  for (let n = 0; n < count; n += 1)
    await world.notify({
      ...{ eventId: idOf(n), uuid: uuidOf(n), state: 'ACCEPTED' as const },
      ...{ claimedAtMs: noon - (count - n) * second, from: 1, to: 2, ...factsOf(n) },
    });
  const asked: DeliveryPageAsked[] = [];
  const deliveryLog = {
    ...world.deliveryLog,
    deliveryPage: (one: DeliveryPageAsked) => {
      asked.push(one);
      return world.deliveryLog.deliveryPage(one);
    },
  };
  const stateOf = async (n: number) => {
    const found = await world.deliveryLog.delivery({ eventId: idOf(n), clientId });
    return [found?.state, found?.reason].filter(Boolean).join(' ');
  };
  return { ...world, asked, stateOf, deps: { ...world, deliveryLog, clock: () => world.time.now } };
};

describe('EV-12 resume of a partner', () => {
  test('EV-12 sends kept events, and those that the bus gave up for a missing target, of any time', async () => {
    const { deps, stateOf } = await aWorld(7, (n) => {
      if (n === 0) return { state: 'HELD', claimedAtMs: noon - 40 * 24 * 3_600 * second };
      if (n === 1) return { state: 'DEAD', reason: 'TARGET_REMOVED' };
      if (n === 2) return { state: 'DEAD', reason: 'HTTP_404' };
      if (n === 3) return { state: 'SUPPRESSED', reason: 'DISABLED' };
      if (n === 4) return { state: 'HELD', type: 'TransactionCompleted' };
      return n === 5 ? { state: 'HELD', type: 'WebhookTest', uuid: '' } : {};
    });

    expect(await sendKeptAgain(clientId, deps)).toEqual({ transactions: 2, asStored: 2 });

    expect(await Promise.all([0, 1, 2, 3, 4, 5, 6].map(stateOf))).toEqual([
      ...['READY', 'READY', 'DEAD HTTP_404', 'SUPPRESSED DISABLED', 'READY', 'READY', 'ACCEPTED'],
    ]);
  });

  test('I1 leaves events that were kept after it began to the next call', async () => {
    const { deps, stateOf, time } = await aWorld(2, (n) => ({
      ...{ state: 'HELD', uuid: uuidOf(0), from: n, to: n + 1 },
      claimedAtMs: n === 0 ? noon - second : noon + 1,
    }));

    await sendKeptAgain(clientId, deps);
    const first = [await stateOf(0), await stateOf(1)];
    time.now = new Date(noon + second);
    await sendKeptAgain(clientId, deps);

    expect([first, await stateOf(1)]).toEqual([['READY', 'HELD'], 'READY']);
  });

  test('EV-12 sends a part of them without time, and the next call continues there', async () => {
    const { deps, stateOf, asked, time } = await aWorld(1_100, () => ({ state: 'HELD' }));
    const { deliveryPage } = deps.deliveryLog;
    deps.deliveryLog.deliveryPage = async (one) => {
      const page = await deliveryPage(one);
      time.now = new Date(time.now.getTime() + 60 * second);
      return page;
    };

    const { next, ...first } = await sendKeptAgain(clientId, deps);
    const states = [await stateOf(999), await stateOf(1_000)];
    const rest = await sendKeptAgain(clientId, deps, next);

    expect(next).toEqual({
      beganAtMs: noon,
      after: { claimedAtMs: noon - 101 * second, eventId: idOf(999) },
    });
    expect([first, states]).toEqual([{ transactions: 1_000, asStored: 0 }, ['READY', 'HELD']]);
    expect(rest).toEqual({ transactions: 100, asStored: 0 });
    expect(asked[1]).toMatchObject({ untilMs: noon + 1, after: next?.after });
  }, 60_000);

  test('EV-12 sends the others if one transaction cannot be read, and says why it must be repeated', async () => {
    const { deps, stateOf } = await aWorld(3, () => ({ state: 'HELD' }));
    const byUuid: typeof deps.transactions.byUuid = async (uuid) => {
      if (uuid === uuidOf(0)) throw new Error('poison');
      return deps.transactions.byUuid(uuid);
    };

    const { fault, ...sent } = await sendKeptAgain(clientId, { ...deps, transactions: { byUuid } });

    expect([sent, fault]).toEqual([{ transactions: 2, asStored: 0 }, new Error('poison')]);
    expect(await Promise.all([0, 1, 2].map(stateOf))).toEqual(['HELD', 'READY', 'READY']);
  });

  test('I7 sends nothing more at a second call, except events kept since', async () => {
    const { deps, notify } = await aWorld(2, () => ({ state: 'HELD' }));
    await sendKeptAgain(clientId, deps);

    const second = await sendKeptAgain(clientId, deps);
    await notify({ eventId: idOf(7), uuid: uuidOf(1), state: 'HELD', from: 2, to: 3, claimedAtMs: noon });
    const third = await sendKeptAgain(clientId, deps);

    expect([second, third]).toEqual([
      { transactions: 0, asStored: 0 },
      { transactions: 1, asStored: 0 },
    ]);
  });
});

describe('replay since a time', () => {
  test('V2-10 has at most a thousand rows in memory, oldest first, and makes each transaction due once', async () => {
    const { deps, asked, stateOf } = await aWorld(1_100, (n) =>
      n === 1_099 ? { uuid: uuidOf(0), from: 2, to: 3, state: 'DEAD' } : {},
    );
    const parts: unknown[] = [];

    const done = await sendAgainSince(clientId, noon - 1_400 * second, deps, (part) => parts.push(part));

    expect(done).toEqual({ transactions: 1_099, asStored: 0 });
    expect(parts).toEqual([{ transactions: 1_000, asStored: 0, untilMs: noon - 101 * second }]);
    expect(asked).toEqual([
      { clientId, sinceMs: noon - 1_400 * second, untilMs: noon + 1, limit: 1_000, oldestFirst: true },
      expect.objectContaining({
        after: { claimedAtMs: noon - 101 * second, eventId: idOf(999) },
      }),
    ]);
    expect([await stateOf(0), await stateOf(1_099)]).toEqual(['READY', 'SUPPRESSED COALESCED']);
  }, 60_000);

  test('V2-10 that was interrupted continues from the time that it reported', async () => {
    const { deps, stateOf } = await aWorld(1_100);
    let reached = 0;
    const first = sendAgainSince(clientId, 0, deps, ({ untilMs }) => {
      reached = untilMs;
      throw new Error('cut short');
    });
    await expect(first).rejects.toThrow('cut short');

    await sendAgainSince(clientId, reached, deps);

    for (let n = 0; n < 1_100; n += 1) expect(await stateOf(n)).toBe('READY');
  }, 60_000);

  test('V2-10 that could not send a transaction reports no later time, so that the next call does not miss it', async () => {
    const { deps } = await aWorld(2_100);
    const { byUuid } = deps.transactions;
    const transactions = {
      byUuid: async (uuid: string) => {
        if (uuid === uuidOf(1_500)) throw new Error('no answer');
        return byUuid(uuid);
      },
    };
    const named: number[] = [];

    const all = sendAgainSince(clientId, 0, { ...deps, transactions }, ({ untilMs }) => named.push(untilMs));

    await expect(all).rejects.toThrow('no answer');
    expect(named).toEqual([noon - 1_101 * second]);
  }, 60_000);

  test('V2-12 leaves out tests, and events from before that time or after its beginning', async () => {
    const { deps } = await aWorld(4, (n) => {
      if (n === 0) return { type: 'WebhookTest', uuid: '' };
      if (n === 1) return { claimedAtMs: noon - 10 * second - 1 };
      return n === 2 ? { claimedAtMs: noon - 10 * second } : { claimedAtMs: noon + 1 };
    });

    expect(await sendAgainSince(clientId, noon - 10 * second, deps)).toEqual({
      transactions: 1,
      asStored: 0,
    });
  });
});
