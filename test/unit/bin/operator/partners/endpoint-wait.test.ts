import { describe, expect, test } from '@jest/globals';
import { awaitEndpoints, wakeEndpoints } from '../../../../../bin/operator/partners/endpoint-wait.ts';
import type { EndpointStatus, EndpointWish } from '../../../../../functions/shared/domain/endpoint.ts';
import type { EndpointMessage } from '../../../../../functions/shared/outbound/endpoint-requests.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { createMemoryPartners, createMemoryWebhookSwitch } from '../../../../support/memory/partners.ts';

const url = 'https://acme.example/hook';
const partnerOf = (clientId: string) =>
  aPartner({ clientId, name: clientId, webhookUrl: url, createdAtMs: 1 });
const on: EndpointWish = { wanted: 'on', url, signatureMadeAtMs: 1 };
const startMs = 1_000_000;
const checkedBy = (id: string) => ({ id, url, atMs: 5, status: 204 });

/** Partners whose statuses are those of the list, one each poll; the last one stays. */
const aWait = async (
  statuses: Record<string, (EndpointStatus | undefined)[]>,
  { check, until }: { check?: EndpointMessage['check']; until?: 'check' } = {},
) => {
  const left = structuredClone(statuses);
  const store = createMemoryPartners(
    Object.keys(statuses).map((clientId) => ({ partner: partnerOf(clientId), secrets: [] })),
  );
  const reads: string[] = [];
  let waitedMs = 0;
  const deps = {
    partners: {
      ...store,
      profileOf: async (clientId: string) => {
        reads.push(clientId);
        const of = left[clientId] ?? [];
        const status = of.length > 1 ? of.shift() : of[0];
        const profile = await store.profileOf(clientId);
        return profile && { ...profile, ...(status && { endpoint: status }) };
      },
    },
    webhookSwitch: createMemoryWebhookSwitch(),
    endpointRequests: { send: async () => {} },
    wait: async (ms: number) => {
      waitedMs += ms;
    },
    now: () => new Date(startMs + waitedMs),
  };
  const done: number[] = [];
  const asked = Object.keys(statuses).map((clientId) => ({ clientId, ...(check && { check }) }));
  const awaited = await wakeEndpoints(asked, deps);
  const patience = { mostMs: 3_000, onPoll: (count: number) => done.push(count), ...(until && { until }) };
  const standings = await awaitEndpoints(awaited, patience, deps);
  const steps = standings.map(({ step }) => step);
  return { steps, standings, waitedMs, done, reads };
};

const former: EndpointStatus = { state: 'failing', sinceMs: 1, reason: 'HTTP_500', pollAgainAtMs: 2 };
const again: EndpointStatus = { ...former, pollAgainAtMs: 60_002 };
const reached: EndpointStatus = { state: 'on', sinceMs: 3, reached: on };

describe('D-09 waiting for keep-endpoints', () => {
  const otherWish: EndpointStatus = { ...reached, reached: { ...on, setAtMs: 7 } };
  const verifying: EndpointStatus = { ...reached, state: 'verifying' };
  const knownIn = (ms: number): EndpointStatus => ({ ...reached, sinceMs: startMs + ms });
  test.each<[string, (EndpointStatus | undefined)[], string, number]>([
    ['ends when the wish is reached', [undefined, undefined, reached], 'reached', 1_000],
    ['ends at once where it is reached already', [reached], 'reached', 0],
    ['goes on where another wish is reached', [otherWish], 'waiting', 3_000],
    ['goes on while a wish that is reached is verifying', [verifying], 'waiting', 3_000],
    ['goes on until the bus knows the target', [knownIn(2_000)], 'reached', 2_000],
    [
      'RUN-5 ends where the bus does not know it in time: nothing else is left',
      [knownIn(60_000)],
      'reached',
      3_000,
    ],
    ['does not take a failure of before for one of now', [former], 'waiting', 3_000],
    ['ends with a failure that is noted anew for the same reason', [former, former, again], 'failing', 1_000],
    ['ends with a failure of what is reached', [{ ...former, reached: on }], 'failing', 0],
  ])('%s', async (_, statuses, step, waitedMs) => {
    expect(await aWait({ acme: statuses })).toMatchObject({ steps: [step], waitedMs });
  });

  test('does not read finished partners again, reports how many are done, and waits anew after each of them', async () => {
    const late = Array<undefined>(5).fill(undefined);
    const { steps, waitedMs, done, reads } = await aWait({
      early: [undefined, undefined, undefined, reached],
      late: [...late, reached],
      never: [undefined],
    });

    expect(steps).toEqual(['reached', 'reached', 'waiting']);
    expect(done).toEqual([0, 0, 1, 1, 2, 2, 2]);
    expect(waitedMs).toBe(7_000);
    expect(reads.filter((clientId) => clientId === 'early')).toHaveLength(4);
  });

  test('does not wait for a partner that is removed meanwhile', async () => {
    const deps = {
      partners: createMemoryPartners(),
      webhookSwitch: createMemoryWebhookSwitch(),
      endpointRequests: { send: async () => {} },
      wait: async () => {},
      now: () => new Date(0),
    };
    const awaited = await wakeEndpoints([{ clientId: 'gone', check: { id: '1', url } }], deps);

    const [standing] = await awaitEndpoints(awaited, { mostMs: 1_000, onPoll: () => {} }, deps);

    expect(standing?.step).toBe('reached');
  });
});

describe('D-09 with a check', () => {
  const check = { id: 'this', url };
  const answered = { ...reached, checked: checkedBy('this') };

  test('a status counts when the check is done, whatever it was before', async () => {
    expect(await aWait({ acme: [reached, reached, answered] }, { check })).toMatchObject({
      ...{ steps: ['reached'], waitedMs: 1_000, standings: [{ check: checkedBy('this') }] },
    });
    const failing = { ...former, checked: checkedBy('this') };
    expect(await aWait({ acme: [failing] }, { check })).toMatchObject({ steps: ['failing'], waitedMs: 0 });
  });

  test('an unanswered check does not hide a reached state, and the result of another check does not count', async () => {
    const other = { ...reached, checked: checkedBy('other') };

    const { steps, waitedMs, standings } = await aWait({ acme: [other] }, { check });

    expect([steps, waitedMs, standings[0]?.check]).toEqual([['reached'], 3_000, undefined]);
  });

  test('if only the check is awaited, the state does not matter', async () => {
    const failing = { ...former, checked: checkedBy('this') };

    expect(await aWait({ acme: [former, former, failing] }, { check, until: 'check' })).toMatchObject({
      ...{ steps: ['reached'], waitedMs: 1_000, standings: [{ check: checkedBy('this') }] },
    });
    expect(await aWait({ acme: [reached] }, { check, until: 'check' })).toMatchObject({ steps: ['waiting'] });
  });
});

test('RUN-5 at most 25 partners are read at once, however many are awaited', async () => {
  let reading = 0;
  let most = 0;
  const deps = {
    partners: {
      profileOf: async () => {
        reading += 1;
        most = Math.max(most, reading);
        await Promise.resolve();
        reading -= 1;
        return undefined;
      },
    },
    endpointRequests: { send: async () => {} },
  } as unknown as Parameters<typeof wakeEndpoints>[1];

  await wakeEndpoints(
    Array.from({ length: 60 }, (_, index) => ({ clientId: `c${index}` })),
    deps,
  );

  expect(most).toBe(25);
});
