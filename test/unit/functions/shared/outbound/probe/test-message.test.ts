import { expect, test } from '@jest/globals';
import { testMessageOf } from '../../../../../../functions/shared/outbound/probe/test-message.ts';

const deps = {
  origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
  clock: () => new Date('2026-11-21T12:00:00.123Z'),
};

test('a test message is no event: of a type of its own, with nothing in its detail, and new each time', () => {
  const [one, other] = [{ signature: 'r' }, { signature: 'r', next: 'n' }].map((signature) =>
    testMessageOf(signature, deps),
  );
  const id = one?.headers['Idempotency-Key'];

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(other?.headers['Idempotency-Key']).not.toBe(id);
  expect(one?.headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'transactions-webhook-test',
    'Idempotency-Key': id,
    'X-Webhook-Signature': 'r',
  });
  expect(other?.headers).toMatchObject({ 'X-Webhook-Signature': 'r', 'X-Webhook-Signature-Next': 'n' });
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
