import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createPartnerEndpoints } from '../../../functions/shared/outbound/endpoint/endpoints.ts';
import { createPinnedPost, publicOrLoopback } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { createEndpointProbe } from '../../../functions/shared/outbound/probe/probe.ts';
import { aClock } from '../../support/builders/manual-clock.ts';
import { watchedEventBridge } from '../../support/memory/event-bridge.ts';
import { aWorkspace, memoryDeps, operate, place } from '../../support/operator/operator.ts';
import { entryFor, publish, startTestBus, type TestBus, until } from '../../support/stage/messaging.ts';
import { startReceiver, type TestReceiver } from '../../support/stage/receivers.ts';

/** A rehearsal of a rotation with the operator's commands, over the bus's protocol, while messages go on (S-27). */
const { folder, stackFile } = aWorkspace();
let bus: TestBus;
beforeAll(async () => {
  bus = await startTestBus();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await bus.stop();
  bus.remove();
});

/** The values that the partner's receiver accepts now. */
let accepted: Set<unknown>;
let receiver: TestReceiver;
beforeEach(async () => {
  accepted = new Set();
  receiver = await startReceiver(({ headers }) => (accepted.has(headers['x-webhook-signature']) ? 204 : 401));
});
afterEach(() => receiver.stop());

const origin = { source: 'svc.local.online-payments', region: 'eu-west-2' };

const aRehearsal = async () => {
  let left = Number.POSITIVE_INFINITY;
  const beforeChange = () => {
    if (left === 0) throw new Error('It died here');
    left -= 1;
  };
  const { client } = watchedEventBridge(bus.client, { beforeChange });
  const time = aClock('2026-11-21T12:00:00Z');
  const { now } = time;
  const post = createPinnedPost({ isAllowed: publicOrLoopback });
  const { deps } = memoryDeps({
    ...{ now, random: randomBytes, endpointRules: { allowsLoopback: true } },
    endpoints: createPartnerEndpoints({ client, settings: place, wait: async () => {} }),
    probe: createEndpointProbe({ post, origin, clock: now, random: randomBytes }),
  });
  const operator = async (...args: string[]) => {
    time.pass({ seconds: 1 });
    return JSON.parse((await operate(deps, stackFile, ['partner', ...args, '--yes', '--json'])).printed);
  };
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { clientId, webhookSignature } = await operator('create', '--name', 'acme', '--webhook-url', url);
  return {
    ...{ operator, clientId, first: webhookSignature },
    dieAfter: (count: number) => {
      left = count;
    },
  };
};

let events = 0;

/** Sends one message through the bus; returns its signatures and whether the receiver accepted it at once. */
const deliver = async (clientId: string) => {
  events += 1;
  const id = `event-${events}`;
  await publish(bus, entryFor(clientId, id));
  const arrived = () => receiver.received.find(({ headers }) => headers['idempotency-key'] === id);
  await until(() => arrived() !== undefined);
  const headers = arrived()?.headers;
  const signature = headers?.['x-webhook-signature'];
  return { signature, next: headers?.['x-webhook-signature-next'], isTaken: accepted.has(signature) };
};

describe('I22 during a rotation no message carries a value that is not accepted yet', () => {
  test('when it is announced, accepted by the partner and finished, and the former value is dropped', async () => {
    const { operator, clientId, first } = await aRehearsal();
    accepted = new Set([first]);
    const before = await deliver(clientId);

    const { nextWebhookSignature: second } = await operator('rotate-signature', 'acme');
    const announced = await deliver(clientId);
    const early = await operator('rotate-signature', 'acme', '--finish');
    const afterEarly = await deliver(clientId);
    accepted = new Set([first, second]);
    const both = await deliver(clientId);
    const finished = await operator('rotate-signature', 'acme', '--finish');
    const switched = await deliver(clientId);
    accepted = new Set([second]);
    const after = await deliver(clientId);

    expect(before).toEqual({ signature: first, next: undefined, isTaken: true });
    expect(announced).toEqual({ signature: first, next: second, isTaken: true });
    expect(early.error).toContain('It answers 401 to the announced signature. Nothing was changed');
    expect(afterEarly).toEqual({ signature: first, next: second, isTaken: true });
    expect(both).toEqual({ signature: first, next: second, isTaken: true });
    expect(finished).toEqual({ name: 'acme', clientId, finished: true });
    expect(switched).toEqual({ signature: second, next: undefined, isTaken: true });
    expect(after).toEqual({ signature: second, next: undefined, isTaken: true });
  });

  test('when a step dies at the bus and is run again', async () => {
    const { operator, clientId, first, dieAfter } = await aRehearsal();
    accepted = new Set([first]);
    const seen: { isTaken: boolean }[] = [];
    const dying = async (...args: string[]) => {
      dieAfter(0);
      expect((await operator('rotate-signature', 'acme', ...args)).error).toContain('It died here');
      seen.push(await deliver(clientId));
      dieAfter(Number.POSITIVE_INFINITY);
      const answer = await operator('rotate-signature', 'acme', ...args);
      seen.push(await deliver(clientId));
      return answer;
    };

    await dying();
    await dying('--cancel');
    const { nextWebhookSignature: second } = await dying();
    accepted = new Set([first, second]);
    await dying('--finish');
    accepted = new Set([second]);
    seen.push(await deliver(clientId));

    expect(seen.map(({ isTaken }) => isTaken)).toEqual(Array(9).fill(true));
    expect(seen.at(-1)).toEqual({ signature: second, next: undefined, isTaken: true });
  });

  test('a message that the bus retries carries the current value', async () => {
    const { operator, clientId, first } = await aRehearsal();
    accepted = new Set();
    await deliver(clientId);
    const { nextWebhookSignature: second } = await operator('rotate-signature', 'acme');
    accepted = new Set([second]);
    await operator('rotate-signature', 'acme', '--finish');
    const id = `event-${events}`;
    const tries = () => receiver.received.filter(({ headers }) => headers['idempotency-key'] === id);

    const carried = () => tries().map(({ headers }) => headers['x-webhook-signature']);
    await until(() => carried().includes(second));

    expect(carried()[0]).toBe(first);
    expect(carried().at(-1)).toBe(second);
  });
});
