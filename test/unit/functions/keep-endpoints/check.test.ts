import { describe, expect, test } from '@jest/globals';
import { checkAddress } from '../../../../functions/keep-endpoints/check.ts';
import { createProbe } from '../../../../functions/keep-endpoints/invoke-probe.ts';
import { whyNotPassed } from '../../../../functions/shared/domain/endpoint-status.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../../functions/shared/outbound/probe/test-message.ts';
import { anEndpointWorld, aServedEndpointWorld } from '../../../support/memory/endpoint-world.ts';

const url = 'https://partner.example/hook';
const right = 's'.repeat(64);
const next = 'n'.repeat(64);

const aCheck = (answers: ProbeAnswer[], { allowsLoopback = false } = {}) => {
  const asked: ProbeRequest[] = [];
  const deps = {
    probe: async (request: ProbeRequest) => {
      asked.push(request);
      return answers;
    },
    origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
    clock: () => new Date('2026-11-21T12:00:00.000Z'),
    random: (size: number) => new Uint8Array(size).fill(7),
    rules: { allowsLoopback },
  };
  return { deps, asked };
};

describe('a check of an address', () => {
  test('S-87 sends a wrong signature, the present one and the next one, each in a message of its own', async () => {
    const { deps, asked } = aCheck([{ status: 401 }, { status: 204 }, { status: 500 }]);

    const answers = await checkAddress(url, { signature: right, next }, deps);

    expect(answers).toEqual({ wrongStatus: 401, status: 204, nextStatus: 500 });
    const [{ messages = [] } = {}] = asked;
    const carried = messages.map(({ headers }) =>
      Object.entries(headers).filter(([, value]) => value === right || value === next),
    );
    expect(messages[0]?.headers['X-Webhook-Signature']).toBe('H'.repeat(64));
    expect(carried).toEqual([[], [['X-Webhook-Signature', right]], [['X-Webhook-Signature', next]]]);
    expect(new Set(messages.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(3);
    expect(JSON.parse(messages[1]?.body ?? '')).toMatchObject({
      ...{ 'detail-type': 'WebhookTest', time: '2026-11-21T12:00:00Z', detail: {} },
      ...{ source: 'svc.local.online-payments', region: 'eu-west-2' },
    });
  });

  test.each<[string, (number | string)[], object, string | undefined]>([
    ['that takes it', [401, 299], { wrongStatus: 401, status: 299 }, undefined],
    ['that takes strangers too', [200, 200], { wrongStatus: 200, status: 200 }, undefined],
    ['that sends strangers elsewhere', [302, 200], { wrongStatus: 302, status: 200 }, undefined],
    ['that refuses it', [401, 401], { wrongStatus: 401, status: 401 }, 'HTTP_401'],
    ['that redirects it', [401, 307], { wrongStatus: 401, status: 307, fault: 'redirect' }, 'redirect'],
    ['nobody answers at', ['timed out'], { fault: 'timed out' }, 'timed out'],
    [
      'that answers strangers only',
      [401, 'too large'],
      { wrongStatus: 401, fault: 'too large' },
      'too large',
    ],
    ['that fails the next one', [401, 204, 'timed out'], { wrongStatus: 401, status: 204 }, undefined],
  ])('TH-03 S-49 an address %s: %j', async (_which, answered, expected, reason) => {
    const { deps } = aCheck(
      answered.map((answer) => (typeof answer === 'number' ? { status: answer } : { fault: answer })),
    );

    const answers = await checkAddress(url, { signature: right, next }, deps);

    expect(answers).toEqual(expected);
    expect(whyNotPassed(answers)).toBe(reason);
  });

  test('S-47 checks the text of the address first: plain http only to loopback, and only on the local stage', async () => {
    const local = 'http://127.0.0.1:8788/hook';
    const [aws, stage] = [aCheck([]), aCheck([{ status: 401 }, { status: 204 }], { allowsLoopback: true })];

    const refused = await checkAddress(local, { signature: right }, aws.deps);
    const passed = await checkAddress(local, { signature: right }, stage.deps);

    expect([refused, aws.asked]).toEqual([{ fault: 'not-https' }, []]);
    expect(passed).toEqual({ wrongStatus: 401, status: 204 });
    // One without a next signature is checked by two messages.
    expect(stage.asked[0]?.messages).toHaveLength(2);
  });
});

describe('a requested check', () => {
  const check = { id: 'check-1', url: 'https://partner.example/2' };

  test('is answered in the status, and changes nothing else', async () => {
    const world = await aServedEndpointWorld();
    const before = await world.status();
    world.answers.set(check.url, [{ status: 200 }, { status: 500 }]);

    const calls = await world.invoke({ check });

    expect(calls.slice(-3)).toEqual(['read', 'probe', 'write']);
    const atMs = Date.parse('2026-11-21T12:10:00.000Z');
    const checked = { ...check, atMs, wrongStatus: 200, status: 500 };
    expect(await world.status()).toEqual({ ...before, checked });
  });

  test('of the present address also creates the endpoint, with one check', async () => {
    const world = anEndpointWorld();
    await world.create();

    await world.invoke({ check: { id: 'check-1', url } });
    world.clock.pass({ ms: 1 });
    await world.invoke({ check: { id: 'check-2', url } });

    const answers = { wrongStatus: 401, status: 204 };
    expect(world.probed).toHaveLength(2);
    expect(await world.status()).toMatchObject({
      state: 'on',
      tried: { answers },
      checked: { id: 'check-2', url, ...answers },
    });
  });

  test('after the former address has failed is of its own address', async () => {
    const world = anEndpointWorld();
    world.answers.set(url, [{ status: 500 }, { status: 500 }]);
    await world.create();

    await world.invoke({ check });

    expect(world.probed.map((asked) => asked.url)).toEqual([url, check.url]);
    expect(await world.status()).toMatchObject({ state: 'failing', checked: { ...check, status: 204 } });
  });

  test.each([
    [{}, 'on'],
    [{ webhookUrl: undefined }, 'off'],
  ])('of a partner %j without a status is answered as well', async (changes, state) => {
    const world = anEndpointWorld();
    await world.create();
    await world.change(changes);

    await world.invoke({ check });

    expect(await world.status()).toMatchObject({ state, checked: { id: 'check-1', status: 204 } });
  });

  test('S-22 that could not be done says so, without details', async () => {
    const world = await aServedEndpointWorld();
    const fault = new Error('probe-endpoint failed');
    world.deps.probe = () => Promise.reject(fault);

    await world.invoke({ check });

    expect(await world.status()).toMatchObject({ checked: { id: 'check-1', fault: 'not checked' } });
    expect(world.logged).toEqual([['checkFailed', {}, fault]]);
  });

  test('of a removed partner is not done', async () => {
    expect(await anEndpointWorld().invoke({ check })).not.toContain('probe');
  });
});

describe('an invocation of probe-endpoint', () => {
  const request = { url, messages: [{ headers: { 'X-Webhook-Signature': right }, body: '{}' }] };
  const invoked = (answer: object) => {
    const sent: unknown[] = [];
    const send = async (command: { input: unknown }) => {
      sent.push(command.input);
      return answer;
    };
    return { sent, probe: createProbe({ client: { send } as never, functionName: 'Probe' }) };
  };

  test('returns its response', async () => {
    const { sent, probe } = invoked({ Payload: Buffer.from('[{"status":204}]') });

    expect(await probe(request)).toEqual([{ status: 204 }]);
    expect(sent).toEqual([{ FunctionName: 'Probe', Payload: JSON.stringify(request) }]);
  });

  test.each([[{ FunctionError: 'Unhandled', Payload: Buffer.from(`{"errorMessage":"${right}"}`) }], [{}]])(
    'S-22 does not repeat the error that it returns',
    async (answer) => {
      const { probe } = invoked(answer);

      await expect(probe(request)).rejects.toThrow(/^probe-endpoint failed$/);
    },
  );
});
