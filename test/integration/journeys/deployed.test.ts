import type { AddressInfo } from 'node:net';
import { createServer, type SecureVersion, type Server } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { programOf } from '../../journeys/clients.ts';
import { burstJourney, gatewayJourney } from '../../journeys/gateway.ts';
import { harbourShop } from '../../journeys/imported-transactions.ts';
import { inEmulator } from '../../journeys/send.ts';
import { compressionJourney, transportJourney } from '../../journeys/transport.ts';
import { untouchedJourney } from '../../journeys/untouched.ts';
import { type Journey, type World, worldOf } from '../../journeys/world.ts';
import { aCertificate, anAuthority } from '../../support/stage/certificate.ts';

/** What a deployed stage alone shows: an embedded one cannot be seen to fail it, so each step is tried on a wrong answer. */
type Reply = { status: number; headers?: Record<string, string>; body?: object };

/** A stage that answers everything with one reply. */
const answering = ({ status, headers, body = {} }: Reply, origin = 'https://api.shop.example'): World =>
  worldOf(
    {
      ...{ baseUrl: origin, authUrl: origin.replace('api.', 'auth.') },
      send: async (url, { method = 'GET' } = {}) => ({
        ...{ request: `${method} ${url}`, status, headers: new Headers(headers) },
        text: JSON.stringify(body),
      }),
      operator: () => Promise.reject(new Error('No command is run')),
    },
    harbourShop,
  );

/** The titles of the steps that fail. */
const redIn = async ({ steps }: Journey, world: World): Promise<string[]> => {
  const red: string[] = [];
  for (const { title, check } of steps) await check(world).catch(() => red.push(title));
  return red;
};

const ofGateway = (status: number): Reply => ({ status, body: { message: 'Missing Authentication Token' } });
const addresses = ['https://a.execute-api.example/staging', 'https://b.execute-api.example/staging'];
const transport = transportJourney({ gatewayUrls: addresses });

const wrongAnswers: [title: string, journey: Journey, reply: Reply][] = [
  ['S-75 ERR-5 an unknown route is 404 in the form of its API', gatewayJourney, ofGateway(404)],
  ['S-75 ERR-5 an unknown route is 404 for who shows a token, too', gatewayJourney, ofGateway(403)],
  ['S-75 TH-10 a body of more than 10 MB is 413, with a Request-Id', gatewayJourney, ofGateway(413)],
  ['O-48 TH-10 no header changes the method', gatewayJourney, { status: 400 }],
  ['TH-10 QS-1 semicolons, pipes and braces of a query are no fault', gatewayJourney, { status: 500 }],
  [
    'QS-1 FLT-2 a repeated filter reaches the function as it was sent, and is 422',
    gatewayJourney,
    { status: 200 },
  ],
  [
    'S-45 answers of functions and of the gateway carry the security headers',
    gatewayJourney,
    { status: 200, headers: { 'X-Content-Type-Options': 'nosniff' } },
  ],
  [
    "V1-7 S-44 O-57 a foreign page's preflight is let through nowhere",
    gatewayJourney,
    { status: 204, headers: { 'Access-Control-Allow-Origin': '*' } },
  ],
  [
    'S-40 above the throttle the answer is 429 with Retry-After, and nothing is a fault',
    burstJourney(3),
    ofGateway(429),
  ],
  ['O-56 nothing is served without TLS', transport, { status: 301 }],
  ["S-74 with a domain of its own, API Gateway's addresses answer no more", transport, { status: 401 }],
  [
    'D-41 a long answer is compressed for who accepts it, and plain for who does not',
    compressionJourney,
    { status: 200 },
  ],
];

describe('a deployed stage that answers wrongly', () => {
  test.each(wrongAnswers)('D-40 fails %s', async (title, { name, steps }, reply) => {
    const step = { name, steps: steps.filter((one) => one.title === title) };

    expect(await redIn(step, answering(reply))).toEqual([title]);
  });

  test('D-40 has a wrong answer here for every step of the gateway', () => {
    const tried = new Set(wrongAnswers.map(([title]) => title));

    expect(gatewayJourney.steps.filter(({ title }) => !tried.has(title))).toEqual([]);
  });

  test('D-40 gets no token where a link leads elsewhere', async () => {
    const world = answering({ status: 200 });

    await expect(programOf(world).ask('https://elsewhere.example/v2/transaction')).rejects.toThrow(
      'a link leads to https://elsewhere.example/v2/transaction',
    );
    expect(world.answers).toEqual([]);
  });
});

test('D-40 a write among the journeys that change nothing is found; one that is refused is none', async () => {
  const titles = untouchedJourney.steps.map(({ title }) => title);
  const writing = async (status: number) => {
    const world = answering({ status });
    await world.send(`${world.baseUrl}/api/v2/payment`, { method: 'POST' });
    return redIn(untouchedJourney, world);
  };

  expect([await writing(201), await writing(413)]).toEqual([titles, []]);
});

describe('the connections of a deployed stage', () => {
  const authority = anAuthority();
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** The steps about TLS that fail at a host that takes versions from one to another. */
  const redAt = async (minVersion: SecureVersion, maxVersion: SecureVersion, ca = authority.cert) => {
    const certificate = aCertificate({ host: 'localhost', authority });
    const server = createServer({ ...certificate, minVersion, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    return redIn(transportJourney({ gatewayUrls: [], ca }), answering({ status: 403 }, origin));
  };

  test('O-56 TLS 1.2 and 1.3 alone are right', async () => {
    expect(await redAt('TLSv1.2', 'TLSv1.3')).toEqual([]);
  });

  test('O-56 an old version that is taken is found, and a new one that is not', async () => {
    const taken = 'O-56 TLS 1.2 and TLS 1.3 are taken';
    const refused = 'O-56 TLS 1.0 and TLS 1.1 are refused';

    expect(await redAt('TLSv1.1', 'TLSv1.3')).toEqual([refused]);
    expect(await redAt('TLSv1', 'TLSv1.2')).toEqual([taken, refused]);
    expect(await redAt('TLSv1.2', 'TLSv1.2')).toEqual([taken]);
  });

  test('O-56 a certificate of nobody known is no connection', async () => {
    const stranger = anAuthority('Another authority');

    expect(await redAt('TLSv1.2', 'TLSv1.3', stranger.cert)).toEqual(['O-56 TLS 1.2 and TLS 1.3 are taken']);
  });
});

test("D-40 an emulator takes the id of an API in the path, and every other address is the stage's own", () => {
  const ofGateway = 'https://ab12.execute-api.eu-west-2.amazonaws.com/staging/v2?x=1';

  expect(inEmulator('http://127.0.0.1:4566', ofGateway)).toBe(
    'http://127.0.0.1:4566/_aws/execute-api/ab12/staging/v2?x=1',
  );
  expect(inEmulator(undefined, ofGateway)).toBe(ofGateway);
  expect(inEmulator('http://127.0.0.1:4566', 'https://api.shop.example/v2')).toBe(
    'https://api.shop.example/v2',
  );
});
