import { expect, test } from '@jest/globals';
import { aReceiver, signature } from '../../../support/partner-kit/webhooks.ts';

const next = 'the-value-that-comes-next';
const signed = (value: string, more: Record<string, string> = {}) => ({
  headers: { 'X-Webhook-Signature': value, ...more },
});

test('KIT-15 during a rotation each configured value is accepted, and no other', async () => {
  const { deliver } = aReceiver({ signatures: [signature, next] });

  expect(await deliver({ id: 'id-1', ...signed(signature) })).toBe(204);
  expect(await deliver({ id: 'id-2', ...signed(next) })).toBe(204);
  expect(await deliver({ id: 'id-3', ...signed('another') })).toBe(401);
});
