import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createDebounceRowStore } from '../../../../../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../../../../../functions/shared/store/debounce/delivery-log.ts';
import {
  deliveryItem,
  eventItems,
} from '../../../../../../functions/shared/store/debounce/delivery-log-items.ts';
import { aDelivery, anEvent } from '../../../../../support/builders/events.ts';
import { aCrowdedStage } from '../../../../../support/memory/crowded-stage.ts';

type Input = {
  UpdateExpression?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
  TransactItems?: unknown[];
};

const at = new Date('2026-11-21T12:00:00.900Z');

/** Stores over a client that takes everything. */
const stores = () => {
  const inputs: Input[] = [];
  const signals: unknown[] = [];
  const send = async ({ input }: { input: Input }, options?: { abortSignal?: AbortSignal }) => {
    inputs.push(input);
    signals.push(options?.abortSignal);
    return {};
  };
  const place = {
    documents: { send } as unknown as DynamoDBDocumentClient,
    ...{ debounceTable: 'Debounce', transactionsTable: 'Transactions', clock: () => at },
  };
  return {
    inputs,
    signals,
    debounceRows: createDebounceRowStore(place),
    deliveryLog: createDeliveryLogStore(place),
  };
};

test.each([
  { count: 100, stored: 'a list' },
  { count: 101, stored: 'one text' },
])('S-36 $count recipients of an event are $stored', ({ count, stored }) => {
  const recipients = Array.from({ length: count }, (_, index) => `P${index}`);

  const [head] = eventItems(anEvent({ recipients }), undefined);

  expect(head?.recipients).toEqual(stored === 'a list' ? recipients : recipients.join(' '));
});

const delivery = aDelivery();
/** 30 days after, in the whole seconds of DynamoDB's TTL. */
const inThirtyDays = 1_797_854_400;

describe('I12 an expiry is in whole seconds', () => {
  test('I12 of an event and its bodies it is 60 days after the claim', () => {
    const event = { ...anEvent(), claimedAtMs: at.getTime() };
    const large = randomBytes(3_000).toString('base64');

    const expiries = [{ plain: '{}' }, { plain: large }].map((bodies) =>
      eventItems(event, bodies).map(({ expiresAt }) => expiresAt),
    );

    expect(expiries).toEqual([[1_800_446_400], [1_800_446_400, 1_800_446_400]]);
  });

  test('I12 of an ended delivery it is 30 days after its end', () => {
    expect(deliveryItem({ ...delivery, state: 'ACCEPTED' }, at).expiresAt).toBe(inThirtyDays);
    expect(deliveryItem({ ...delivery, state: 'READY' }, at)).not.toHaveProperty('expiresAt');
  });

  test('I12 of a delivery that a move or a try ended', async () => {
    const { inputs, deliveryLog } = stores();
    const entry = { atMs: at.getTime(), step: 'accepted' } as const;

    await deliveryLog.move({ ...delivery, from: ['READY'], to: 'ACCEPTED', atMs: at.getTime(), entry });
    await deliveryLog.recordAttempt({ ...delivery, atMs: at.getTime(), isDelivered: true, note: 'HTTP_204' });

    expect(inputs.map(({ ExpressionAttributeValues }) => ExpressionAttributeValues?.[':expiresAt'])).toEqual([
      inThirtyDays,
      inThirtyDays,
    ]);
  });

  test('I12 of a finished marker', async () => {
    const { inputs, debounceRows } = stores();

    await debounceRows.complete(
      { uuid: 'u', kind: 'COMPLETED' },
      { eventId: 'e', changeCount: 0, to: 2, nowMs: at.getTime(), rescheduleAtMs: 0 },
    );

    expect(inputs[0]?.ExpressionAttributeValues?.[':expiresAt']).toBe(inThirtyDays);
  });
});

test('I1 a debounce row that is unscheduled or rescheduled keeps its version', async () => {
  const { inputs, debounceRows } = stores();
  const key = { uuid: 'u', kind: 'NOTIFY' } as const;

  await debounceRows.unschedule(key, { revision: 1, changeCount: 1 });
  await debounceRows.reschedule(key, { revision: 1 }, 5);
  await debounceRows.schedule(key, 5);

  expect(inputs.map(({ UpdateExpression = '' }) => UpdateExpression.includes('notifiedVersion'))).toEqual([
    false,
    false,
    false,
  ]);
});

test('EV-11 a debounce row that is passed over stores its version, on both conditions', async () => {
  const { inputs, debounceRows } = stores();

  await debounceRows.passOver({ uuid: 'u', kind: 'NOTIFY' }, { revision: 1, changeCount: 2 }, 7);

  expect(inputs[0]).toMatchObject({
    UpdateExpression: 'SET #notifiedVersion = :to REMOVE #dueAtMs, #changed ADD #revision :one',
    ConditionExpression: '#revision = :revision AND #changeCount = :changeCount',
    ExpressionAttributeValues: { ':revision': 1, ':changeCount': 2, ':to': 7, ':one': 1 },
  });
});

test('EV-19 a poll of one part of the index has its own time limit', async () => {
  const { signals, debounceRows } = stores();

  await debounceRows.due(3, at.getTime(), 100);

  expect(signals).toEqual([expect.any(AbortSignal)]);
});

test('EV-14 a claim has three statements for any number of partners', async () => {
  const { inputs, debounceRows } = stores();
  const stage = await aCrowdedStage({ transactions: 1, partners: 200 });

  await stage.flush({ debounceRows: { ...stage.debounceRows, claim: debounceRows.claim } });

  // The transaction's version, the debounce row, and the event with its body.
  expect(inputs.map(({ TransactItems = [] }) => TransactItems.length)).toEqual([3]);
});
