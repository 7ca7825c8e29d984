import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { DeliveryState } from '../../functions/shared/domain/event/delivery.ts';
import { readStore } from '../support/builders/store-record.ts';
import { makeDueTogether } from '../support/stage/due-together.ts';
import {
  crowd,
  type EventStage,
  type NotifiedMessage,
  startEventStage,
} from '../support/stage/event-stage.ts';
import { knownFrom, notifiedTwiceOtherwise } from '../support/stage/notified-state.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';

jest.setTimeout(300_000);

const dormancyMs = 2_000;
const tickMs = 1_000;
const hangMs = 5_000;

let events: EventStage;
beforeAll(async () => {
  events = await startEventStage();
});
afterAll(() => events.stop());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('I18 a completion is at the endpoint within seconds, the first of a stage as well', async () => {
  const lags: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    const { uuid, program } = await events.aCase(name);
    const paidAtMs = Date.now();
    await program.write('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '1.00', status: 1 });
    const [completed] = await events.whenNotified(name, 1);
    expect(completed?.message['detail-type']).toBe('TransactionCompleted');
    lags.push((completed?.receivedAtMs ?? 0) - paidAtMs);
  }

  // Two seconds on a machine that does nothing else; the simulation proves those.
  expect(lags.filter((ms) => ms > 10_000)).toEqual([]);
});

describe('four endpoints that fail in four ways', () => {
  const healthy = ['healthy-1', 'healthy-2', 'healthy-3'];
  const rows = 40;
  let batches = 0;

  /** How long after rows fell due in one moment each healthy partner had its message of each. */
  const lagsOfBatch = async (): Promise<number[]> => {
    // At a tick, so that no batch waits longer for one than another.
    const dueAtMs = Math.ceil(Date.now() / tickMs) * tickMs + 3 * tickMs;
    batches += 1;
    await makeDueTogether(events.stage(), {
      ...{ first: batches * 10_000, count: rows, group: 'beside', dueAtMs, dormancyMs },
    });
    const taken = await Promise.all(healthy.map((name) => events.whenNotified(name, batches * rows)));
    return taken.flatMap((messages) =>
      messages.slice((batches - 1) * rows).map(({ receivedAtMs }) => receivedAtMs - dueAtMs),
    );
  };

  test('S-52 I21 they delay no healthy partner: its messages come as soon as beside endpoints that are well', async () => {
    const gone = await startWebhookReceiver();
    const partners = [...healthy, 'hanging', 'broken', 'busy'].map((name) => [name, events.receiver.url]);
    await Promise.all(
      [...partners, ['refused', gone.url]].map(([name = '', url]) =>
        events.operate(
          ...['partner', 'create', '--name', name, '--grant', 'group=beside'],
          ...['--webhook-url', `${url}/${name}`],
        ),
      ),
    );
    await lagsOfBatch();
    const before = await lagsOfBatch();

    await gone.stop();
    events.receiver.answers('hanging', () => 'never');
    events.receiver.answers('broken', () => 500);
    events.receiver.answers('busy', () => ({ status: 429, headers: { 'Retry-After': '60' } }));
    await lagsOfBatch();
    const beside = await lagsOfBatch();

    const askedOf = (partner: string) => events.receiver.received.filter((one) => one.partner === partner);
    const statuses = ['hanging', 'broken', 'busy'].map((name) => askedOf(name).at(-1)?.status);
    expect(statuses).toEqual([0, 500, 429]);
    expect([before.length, beside.length]).toEqual([3 * rows, 3 * rows]);
    // Behind an endpoint that hangs a message would wait for the five seconds of its connection.
    expect(medianOf(beside) - medianOf(before)).toBeLessThan(hangMs);
    expect(Math.max(...beside) - Math.max(...before)).toBeLessThan(hangMs);
  });
});

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

describe('a webhook that is paused while 300 changes are made, and resumed', () => {
  test('I1 EV-12 leaves no gap, and brings no older state after a newer one', async () => {
    const { clientId, program } = await events.partner('absent', 'group=crowd');
    const changeAll = (round: number) =>
      Promise.all(
        crowd.map((uuid) =>
          program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: `${round}` } }),
        ),
      );

    await events.operate('partner', 'pause', 'absent');
    for (let round = 1; round <= 9; round += 1) {
      await changeAll(round);
      // Some rounds find rest, so that several events of each transaction are kept.
      if (round % 4 === 0) await pause(dormancyMs + 2 * tickMs);
    }
    const notifiedBefore = events.notifiedTo('absent').length;
    // The last round meets the resume.
    await Promise.all([events.operate('partner', 'resume', 'absent'), changeAll(10)]);
    const arrived = await whenAllHasEnded(clientId);

    const ofEach = Map.groupBy(arrived, ({ message }) => String(message.detail.uuid));
    const known = knownFrom(arrived);
    expect(notifiedBefore).toBe(0);
    expect(crowd.filter((uuid) => !hasEveryVersion(ofEach.get(uuid) ?? [], 11))).toEqual([]);
    expect(crowd.filter((uuid) => goesBack(ofEach.get(uuid) ?? []))).toEqual([]);
    expect(crowd.map((uuid) => known.get(uuid)?.elements.get('customer')?.value)).toEqual(
      crowd.map(() => ({ firstName: 'Ann', lastName: '10' })),
    );
  });

  /** What the partner was sent, once nothing of it is due or under way any more. */
  const whenAllHasEnded = async (clientId: string): Promise<NotifiedMessage[]> => {
    const isOpen = async () => {
      const { dueRows, deliveries } = await readStore(events.stage());
      const ofPartner = deliveries.filter((one) => one.clientId === clientId);
      return (
        dueRows.some(({ uuid, dueAtMs }) => crowd.includes(uuid) && dueAtMs !== undefined) ||
        ofPartner.some(({ state, dueAtMs }) => dueAtMs !== undefined || !hasEnded.includes(state))
      );
    };
    while (await isOpen()) await pause(500);
    return events.notifiedTo('absent');
  };
});

const hasEnded: readonly DeliveryState[] = ['DELIVERED', 'SUPPRESSED'];

const rangesOf = (arrived: readonly NotifiedMessage[]) =>
  arrived.map(({ headers }) => ({
    from: Number(headers['X-Transaction-From-Version']),
    to: Number(headers['X-Transaction-Version']),
  }));

/** Whether the messages of one transaction, imported as version 1, tell of each version up to the last. */
const hasEveryVersion = (arrived: readonly NotifiedMessage[], last: number): boolean => {
  const ranges = rangesOf(arrived);
  const isTold = (version: number) => ranges.some(({ from, to }) => from < version && version <= to);
  return Array.from({ length: last - 1 }, (_, index) => index + 2).every(isTold);
};

/** Whether a message of one transaction ends at an earlier version than one before it. */
const goesBack = (arrived: readonly NotifiedMessage[]): boolean => {
  const ends = rangesOf(arrived).map(({ to }) => to);
  return ends.some((to, index) => to < Math.max(1, ...ends.slice(0, index)));
};

describe('kill -9 of the stage amid a flush of 500 due rows', () => {
  test('I1 I7 after the next start nothing is lost, and copies have the same id and bytes', async () => {
    const { clientId } = await events.partner('killed', 'group=killed');
    const uuids = await makeDueTogether(events.stage(), {
      ...{ first: 100_000, count: 500, group: 'killed', dueAtMs: Date.now() + 6_000, dormancyMs },
    });

    while (events.notifiedTo('killed').length === 0) await pause(5);
    const killedAtMs = Date.now();
    await events.restart('kill');
    await events.whenStates(clientId, ...uuids.map(() => 'DELIVERED' as const));

    const arrived = events.notifiedTo('killed');
    const claims = (await readStore(events.stage())).events.filter(({ uuid }) => uuids.includes(uuid));
    const claimedBefore = claims.filter(({ claimedAtMs }) => claimedAtMs <= killedAtMs).length;
    expect(uuids.filter((uuid) => !arrived.some(({ message }) => message.detail.uuid === uuid))).toEqual([]);
    expect(new Set(arrived.map(({ message }) => message.id)).size).toBe(500);
    expect(notifiedTwiceOtherwise(arrived)).toEqual([]);
    expect([claims.length, claimedBefore > 0, claimedBefore < 500]).toEqual([500, true, true]);
  });
});
