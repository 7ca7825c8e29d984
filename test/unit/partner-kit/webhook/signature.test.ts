import { describe, expect, test } from '@jest/globals';
import { memorySignatures } from '../../../../partner-kit/src/index.ts';
import { aReceiver, signature } from '../../../support/partner-kit/webhooks.ts';

const next = 'the-value-that-comes-next';
const signed = (value: string, more: Record<string, string> = {}) => ({
  headers: { 'X-Webhook-Signature': value, ...more },
});

describe('KIT-15 rotating the signature', () => {
  test('KIT-15 each of several values is accepted', async () => {
    const { deliver } = aReceiver({ signatures: [signature, next] });

    expect(await deliver(signed(next))).toBe(204);
    expect(await deliver(signed(signature))).toBe(204);
    expect(await deliver(signed('neither'))).toBe(401);
  });

  test('KIT-15 an announced value is learnt only where that is asked for', async () => {
    const learning = aReceiver({ learnsNext: true });
    const steady = aReceiver();

    for (const { deliver } of [learning, steady])
      await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));

    expect(await learning.deliver(signed(next))).toBe(204);
    expect(await steady.deliver(signed(next))).toBe(401);
  });

  test('KIT-15 a message that is not the operator’s announces nothing', async () => {
    const { deliver } = aReceiver({ learnsNext: true });

    await deliver(signed('wrong', { 'X-Webhook-Signature-Next': next }));
    await deliver({
      ...signed(signature, { 'X-Webhook-Signature-Next': next }),
      source: 'svc.production.online-payments',
    });

    expect(await deliver(signed(next))).toBe(401);
  });

  test('KIT-15 the first event under the next value ends the former one after ten minutes, a test does not', async () => {
    let nowMs = 0;
    const { deliver } = aReceiver({ learnsNext: true, clock: () => nowMs });
    await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));

    await deliver({ type: 'WebhookTest', ...signed(next) });
    nowMs += 3_600_000;
    const afterTest = await deliver(signed(signature));
    await deliver({ id: '2', ...signed(next) });
    nowMs += 599_999;
    const inOverlap = await deliver(signed(signature));
    nowMs += 1;
    const afterOverlap = await deliver(signed(signature));

    expect([afterTest, inOverlap, afterOverlap]).toEqual([204, 204, 401]);
  });

  test('KIT-15 what was learnt is in the book, so that it can be kept over a restart', async () => {
    const signatures = memorySignatures(signature);
    const { deliver } = aReceiver({ learnsNext: true, signatures });

    await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));

    expect(await signatures.accepted()).toEqual([{ value: signature }, { value: next }]);
  });
});
