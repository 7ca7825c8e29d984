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

  test('KIT-15 the oldest learnt value is dropped first, and each learning is reported', async () => {
    const told: string[] = [];
    const signatures = memorySignatures(signature);
    const { deliver } = aReceiver({ signatures, learnsNext: true, onLearnt: (type) => told.push(type) });

    for (const value of ['a', 'b', 'c', 'd', 'e', 'e'])
      await deliver({ type: 'WebhookTest', ...signed(signature, { 'X-Webhook-Signature-Next': value }) });

    expect((await signatures.accepted()).map(({ value }) => value)).toEqual([signature, 'b', 'c', 'd', 'e']);
    expect(told).toHaveLength(5);
  });

  test('KIT-15 a value with an end is valid until then', async () => {
    let nowMs = 0;
    const signatures = {
      accepted: () => [{ value: next }, { value: signature, untilMs: 600_000 }],
      keep: () => {},
    };
    const { deliver } = aReceiver({ signatures, clock: () => nowMs });

    nowMs = 599_999;
    const before = await deliver(signed(signature));
    nowMs = 600_000;

    expect([before, await deliver(signed(signature)), await deliver(signed(next))]).toEqual([204, 401, 204]);
  });

  test('KIT-15 an announced value in use ends the former one only at its end', async () => {
    let nowMs = 0;
    const signatures = memorySignatures(signature);
    const { deliver } = aReceiver({ signatures, learnsNext: true, onLearnt: () => {}, clock: () => nowMs });
    const isTaken = async (value: string) => deliver({ type: 'WebhookTest', ...signed(value) });

    await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));
    const afterSwitch = [await isTaken(next), await isTaken(signature)];
    const untilMs = 600_000;
    await signatures.keep([{ value: next }, { value: signature, untilMs }]);
    const given = [await isTaken(next), await isTaken(signature)];
    nowMs = untilMs;

    expect([afterSwitch, given]).toEqual([
      [204, 204],
      [204, 204],
    ]);
    expect([await isTaken(next), await isTaken(signature)]).toEqual([204, 401]);
  });

  test('KIT-15 learnt values are in the store, so that they survive a restart', async () => {
    const signatures = memorySignatures(signature);
    const { deliver } = aReceiver({ learnsNext: true, signatures, onLearnt: () => {} });

    await deliver(signed(signature, { 'X-Webhook-Signature-Next': next }));

    expect(await signatures.accepted()).toEqual([{ value: signature }, { value: next, isLearnt: true }]);
  });
});
