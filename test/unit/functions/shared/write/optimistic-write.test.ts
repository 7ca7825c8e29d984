import { describe, expect, test } from '@jest/globals';
import { refuse } from '../../../../../functions/shared/domain/outcome.ts';
import { problem } from '../../../../../functions/shared/http/problem.ts';
import { json } from '../../../../../functions/shared/http/response.ts';
import {
  type OptimisticWrite,
  type OptimisticWriteDeps,
  writeOptimistically,
} from '../../../../../functions/shared/write/optimistic-write.ts';
import { createPayment } from '../../../../../functions/v2-write/create-payment.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { httpEvent } from '../../../../support/builders/http-event.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryStores } from '../../../../support/memory/stores.ts';

const uuid = uuidOf(1);
const clock = () => new Date('2026-03-01T12:00:00Z');
type Replace = OptimisticWriteDeps['transactions']['replace'];

/** A store whose writes are changed by the test, and the waits between tries. */
const aStore = async (around: (replace: Replace) => Replace) => {
  const { transactions: store, requests } = memoryStores(clock);
  await store.createMany([aNewTransaction({ uuid })]);
  const waits: number[] = [];
  const sleep = async (ms: number) => waits.push(ms);
  const deps: OptimisticWriteDeps = {
    transactions: { byUuid: store.byUuid, replace: around(store.replace) },
    requests,
    clock,
    retryDelays: { random: () => 1, sleep },
  };
  return { deps, store, waits };
};

const entering = (guestEmail: string, decide?: OptimisticWrite['decide']): OptimisticWrite => ({
  uuid,
  writer: 'partner',
  visibleTo: { showsPaymentTokens: false },
  command: undefined,
  isVisible: () => true,
  decide:
    decide ??
    (async ({ transaction }) => ({
      transaction: { ...transaction, guestEmail },
      toResponse: ({ version }) => json(200, { version }),
    })),
});

/** Gives one refusal a call, then lets writes through. */
const refusing =
  (...reasons: ('changed-meanwhile' | 'perhaps-done' | 'not-found')[]) =>
  (replace: Replace): Replace =>
  async (...write) => {
    const reason = reasons.shift();
    return reason ? refuse(reason) : replace(...write);
  };

describe('a write that loses races', () => {
  test('is decided again, after longer waits, and succeeds in the end', async () => {
    const lost = ['changed-meanwhile', 'changed-meanwhile', 'changed-meanwhile'] as const;
    const { deps, waits } = await aStore(refusing(...lost));

    expect(await writeOptimistically(entering('a@b.example'), deps)).toMatchObject({
      status: 200,
      body: '{"version":2}',
    });
    expect(waits).toEqual([25, 50, 100]);
  });

  test('ERR-4 ends after twenty tries with 503, and nothing is written', async () => {
    const { deps, store, waits } = await aStore(() => async () => refuse('changed-meanwhile'));

    expect(await writeOptimistically(entering('a@b.example'), deps)).toMatchObject({
      problem: 'unavailable',
      headers: { 'Retry-After': '2' },
    });
    expect(waits).toHaveLength(20);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test('V1-8 is 404 if the transaction was swept meanwhile', async () => {
    const { deps } = await aStore(refusing('not-found'));

    expect(await writeOptimistically(entering('a@b.example'), deps)).toMatchObject({ problem: 'not-found' });
  });
});

describe('a write whose result was lost while others wrote', () => {
  test('is not repeated, because that would undo their change', async () => {
    const { deps, store } = await aStore(refusing('perhaps-done'));

    expect(await writeOptimistically(entering('a@b.example'), deps)).toMatchObject({
      problem: 'unavailable',
    });
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test('is answered if everything that it would write is stored', async () => {
    const { deps, store } = await aStore((replace) => async (...write) => {
      await replace(...write);
      return refuse('perhaps-done');
    });

    expect(await writeOptimistically(entering('a@b.example'), deps)).toMatchObject({
      status: 200,
      body: '{"version":2}',
    });
    expect((await store.byUuid(uuid))?.version).toBe(2);
  });

  test.each<[string, ('perhaps-done' | 'changed-meanwhile')[]]>([
    ['as if it had failed', ['perhaps-done']],
    ['as if it had failed after a lost race, either', ['perhaps-done', 'changed-meanwhile']],
  ])('WR-1 is not refused %s', async (_, reasons) => {
    const losses = reasons.length;
    const { deps } = await aStore(refusing(...reasons));
    let looks = 0;
    const decide: OptimisticWrite['decide'] = async (before, now) => {
      looks += 1;
      return looks > losses
        ? problem('content-too-large')
        : entering(`${looks}@b.example`).decide(before, now);
    };

    const answer = await writeOptimistically({ ...entering('', decide), knowsItsOwn: true }, deps);

    expect(looks).toBe(losses + 1);
    expect(answer).toMatchObject({ problem: 'unavailable' });
  });

  test('TH-20 a payment that is already stored is answered, not made twice', async () => {
    let isLost = false;
    const { deps, store } = await aStore((replace) => async (...write) => {
      const saved = await replace(...write);
      if (isLost) return saved;
      isLost = true;
      return refuse('perhaps-done');
    });
    let id = 0;
    const event = httpEvent('/api/v2/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ transaction: uuid, type: 1, value: '1.00', status: 1 }),
    });

    const answer = await createPayment(Object.assign(event, { partner: aPartner() }), {
      ...deps,
      ids: { next: async () => ++id },
      random: (size) => new Uint8Array(size),
      log: () => {},
      askForCompletion: async () => {},
    });

    const payments = (await store.byUuid(uuid))?.transaction.payments;
    expect(answer).toMatchObject({ status: 201, body: JSON.stringify(payments?.[0]) });
    expect(payments).toMatchObject([{ id: 1, is_selected: 1 }]);
  });
});
