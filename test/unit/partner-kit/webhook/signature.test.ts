import { describe, expect, test } from '@jest/globals';
import { memorySignatures } from '../../../../partner-kit/src/index.ts';
import { aReceiver, signature } from '../../../support/partner-kit/webhooks.ts';

const next = 'the-value-that-comes-next';
const signed = (value: string, more: Record<string, string> = {}) => ({
  headers: { 'X-Webhook-Signature': value, ...more },
});

describe('KIT-15 rotating the signature', () => {
  test('KIT-15 an announced value is learnt only on request', async () => {
    const learning = aReceiver({ learnsNext: true, onLearnt: () => {} });
    const steady = aReceiver();

    for (const { deliver } of [learning, steady])
      await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));

    expect(await learning.deliver(signed(next))).toBe(204);
    expect(await steady.deliver(signed(next))).toBe(401);
  });

  test('KIT-15 a message that is not signed announces nothing', async () => {
    const { deliver } = aReceiver({ learnsNext: true, onLearnt: () => {} });

    await deliver(signed('wrong', { 'X-Webhook-Signature-Next': next }));
    await deliver({
      ...signed(signature, { 'X-Webhook-Signature-Next': next }),
      source: 'svc.production.online-payments',
    });

    expect(await deliver(signed(next))).toBe(401);
  });

  test('KIT-15 a sender with one value cannot exclude the right one by announcing another', async () => {
    const { deliver } = aReceiver({
      signatures: [signature, 'leaked'],
      learnsNext: true,
      onLearnt: () => {},
    });

    for (let n = 0; n < 10; n += 1) {
      await deliver(signed('leaked', { 'X-Webhook-Signature-Next': `forged-${n}` }));
      await deliver({ id: `forged-${n}`, ...signed(`forged-${n}`) });
    }

    expect(await deliver(signed(signature))).toBe(204);
  });

  test('KIT-15 what was learnt is in the book, of which the oldest goes, and each learning is told', async () => {
    const told: string[] = [];
    const signatures = memorySignatures(signature);
    const { deliver } = aReceiver({ signatures, learnsNext: true, onLearnt: (type) => told.push(type) });

    for (const value of ['a', 'b', 'c', 'd', 'e', 'e'])
      await deliver({ type: 'WebhookTest', ...signed(signature, { 'X-Webhook-Signature-Next': value }) });

    expect(await signatures.accepted()).toEqual([
      { value: signature },
      ...['b', 'c', 'd', 'e'].map((value) => ({ value, isLearnt: true })),
    ]);
    expect(told).toHaveLength(5);
  });

  test('KIT-15 an announced value in use ends the former one only at its end', async () => {
    const clock = { nowMs: 0 };
    const signatures = memorySignatures(signature);
    const options = { signatures, learnsNext: true, onLearnt: () => {} };
    const { deliver } = aReceiver({ ...options, clock: () => clock.nowMs });
    const taken = async () => [
      await deliver({ type: 'WebhookTest', ...signed(next) }),
      await deliver({ type: 'WebhookTest', ...signed(signature) }),
    ];

    await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));
    expect(await taken()).toEqual([204, 204]);
    await signatures.keep([{ value: next }, { value: signature, untilMs: 600_000 }]);
    clock.nowMs = 599_999;
    expect(await taken()).toEqual([204, 204]);
    clock.nowMs = 600_000;
    expect(await taken()).toEqual([204, 401]);
  });
});
