import { expect, test } from '@jest/globals';
import { testMessageOf } from '../../../../../../functions/shared/outbound/probe/test-message.ts';

const deps = {
  origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
  clock: () => new Date('2026-11-21T12:00:00.123Z'),
};

test('S-87 a test message is no event, has nothing in its detail, is new each time, and has the headers of the bus and one signature', () => {
  const [one, other] = ['r', 'n'].map((signature) => testMessageOf(signature, deps));
  const id = one?.headers['Idempotency-Key'];

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(other?.headers['Idempotency-Key']).not.toBe(id);
  expect(one?.headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Amazon/EventBridge/ApiDestinations',
    Range: 'bytes=0-1048575',
    'Accept-Encoding': 'gzip,deflate',
    Connection: 'close',
    'Idempotency-Key': id,
    'X-Webhook-Signature': 'r',
  });
  expect(JSON.parse(one?.body ?? '')).toEqual({
    version: '0',
    id,
    'detail-type': 'WebhookTest',
    source: 'svc.local.online-payments',
    account: '000000000000',
    time: '2026-11-21T12:00:00Z',
    region: 'eu-west-2',
    resources: [],
    detail: {},
  });
});
