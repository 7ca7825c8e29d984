import { describe, expect, test } from '@jest/globals';
import { isTransactionsError, verifyWebhook } from '../../../../partner-kit/src/index.ts';
import { aMessage, signature, source } from '../../../support/partner-kit/webhooks.ts';

const known = { signatures: signature, source };
const { headers, body } = aMessage({ from: 3, to: 4, omitted: 'extras', detail: { customer: null } });

describe('KIT-29 a message is verified and parsed', () => {
  test.each([
    ['of a Request', new Headers(headers), body],
    ['as the service writes them', headers, new TextEncoder().encode(body)],
    [
      'of Node, in lists',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
      JSON.parse(body),
    ],
  ])('KIT-29 with headers %s', async (_, given, content) => {
    const verified = await verifyWebhook(given, content, known);

    expect(verified).toMatchObject({
      ...{ id: 'id-1', type: 'TransactionUpdated', uuid: 'u', range: { from: 3, to: 4 } },
      ...{ omitted: ['extras'], changed: ['customer removed'], message: JSON.parse(body) },
    });
  });

  test.each([
    ['a wrong signature', { ...headers, 'X-Webhook-Signature': 'wrong' }, body, 'wrong-signature', 401],
    ['no signature', {}, 'nonsense', 'wrong-signature', 401],
    ['nonsense', headers, '{', 'not-json', 400],
    ['no message', headers, '{}', 'not-a-message', 400],
    ['another source', headers, aMessage({ source: 'other' }).body, 'wrong-source', 400],
  ])('KIT-29 %s is refused', async (_, given, content, type, status) => {
    const refusal = await verifyWebhook(given, content, known).catch((error) => error);

    expect(refusal).toMatchObject({ name: 'WebhookRefusedError', type, status });
    expect(isTransactionsError(refusal)).toBe(true);
  });

  test('KIT-29 KIT-15 each of several signatures counts, and the source only if it is named', async () => {
    const { headers: next, body: other } = aMessage({
      headers: { 'X-Webhook-Signature': 'next' },
      source: 'other',
    });

    const verified = await verifyWebhook(next, other, { signatures: [signature, 'next'] });

    expect(verified.source).toBe('other');
    await expect(verifyWebhook(next, other, { signatures: [] })).rejects.toThrow(TypeError);
  });
});
