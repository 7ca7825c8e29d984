import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkAddress } from '../../../functions/keep-endpoints/check.ts';
import { createHandler } from '../../../functions/probe-endpoint/handler.ts';
import type { EndpointMessage } from '../../../functions/shared/outbound/endpoint-requests.ts';
import { createPinnedPost, publicOrLoopback } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { aClock } from '../../support/builders/manual-clock.ts';
import { aWorkspace, memoryDeps, operate, place } from '../../support/operator/operator.ts';
import { makeEndpoint } from '../../support/stage/made-endpoint.ts';
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
  const time = aClock('2026-11-21T12:00:00Z');
  const { now } = time;
  const post = createPinnedPost({ isAllowed: publicOrLoopback });
  const checking = {
    ...{ origin, clock: now, random: randomBytes, rules: { allowsLoopback: true } },
    probe: createHandler({ post }),
  };
  const { deps, keeper, signatureOf } = memoryDeps({
    now,
    random: randomBytes,
    endpointRules: { allowsLoopback: true },
  });
  const { work, requests } = keeper;
  /** What keep-endpoints does at the bus, before its stand-in writes the status. */
  const atTheBus = async ({ clientId, check }: EndpointMessage) => {
    const partner = await deps.partners.byClientId(clientId);
    const signature = await signatureOf(clientId);
    if (!partner || !signature) return;
    await makeEndpoint({ partner, signature }, { client: bus.client, settings: place });
    if (!check) return;
    const { nextStatus } = await checkAddress(check.url, signature, checking);
    keeper.answers = { ...keeper.answers, ...(nextStatus !== undefined && { nextStatus }) };
  };
  let woken: EndpointMessage[] = [];
  deps.endpointRequests = {
    send: async (messages) => {
      woken.push(...messages);
      await requests.send(messages);
    },
  };
  const catchUp = async () => {
    const messages = woken;
    woken = [];
    for (const message of messages) await atTheBus(message);
    await work();
  };
  deps.wait = catchUp;
  const operator = async (...args: string[]) => {
    time.pass({ seconds: 1 });
    return JSON.parse((await operate(deps, stackFile, ['partner', ...args, '--yes', '--json'])).printed);
  };
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { clientId, webhookSignature } = await operator('create', '--name', 'acme', '--webhook-url', url);
  return {
    ...{ operator, clientId, first: webhookSignature, catchUp },
    /** From now on the tool is killed as soon as it waits. */
    die: () => {
      deps.wait = () => Promise.reject(new Error('It died here'));
    },
    live: () => {
      deps.wait = catchUp;
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

describe('I22 I22 no message during a rotation has a value that is not accepted yet', () => {
  test('when it is announced, accepted by the partner and finished, and the former value is removed', async () => {
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

  test('when the tool is killed while it waits, and nobody runs it again', async () => {
    const { operator, clientId, first, die, live, catchUp } = await aRehearsal();
    accepted = new Set([first]);
    const seen: { isTaken: boolean }[] = [];
    const killed = async (...args: string[]) => {
      die();
      const answer = await operator('rotate-signature', 'acme', ...args);
      seen.push(await deliver(clientId));
      await catchUp();
      seen.push(await deliver(clientId));
      live();
      return answer;
    };

    await killed();
    await killed('--cancel');
    const { nextWebhookSignature: second } = await killed();
    accepted = new Set([first, second]);
    await killed('--finish', '--unchecked');
    accepted = new Set([second]);
    seen.push(await deliver(clientId));

    expect(seen.map(({ isTaken }) => isTaken)).toEqual(Array(9).fill(true));
    expect(seen.at(-1)).toEqual({ signature: second, next: undefined, isTaken: true });
  });

  test('a message that the bus retries has the current value', async () => {
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
