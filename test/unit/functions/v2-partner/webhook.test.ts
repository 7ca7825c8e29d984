import { describe, expect, test } from '@jest/globals';
import type { EndpointStatus } from '../../../../functions/shared/domain/endpoint.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const self = { self: { href: 'https://api.example/v2/webhook' } };
const url = 'https://partner.example/hook';
const withWebhook = (changes: Partial<Partner> = {}) =>
  aPartner({ webhookUrl: url, webhookSetAtMs: noon - day, createdAtMs: noon - 9 * day, ...changes });
const { clientId } = aPartner();
const isOn: EndpointStatus = {
  ...{ state: 'on', sinceMs: noon - day + 60_000, servedUrl: url, servedSetAtMs: noon - day },
};
const off: EndpointStatus = { state: 'off', sinceMs: noon - day, reached: { wanted: 'none' } };

const jsonBody = (method: string, body: unknown, headers: Record<string, string> = {}) => ({
  method,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const put = (to: unknown, headers = {}) => jsonBody('PUT', { url: to }, headers);
const patch = (body: object, headers = {}) => jsonBody('PATCH', body, headers);
const post = (headers = {}) => ({ method: 'POST', headers });
const keyed = { 'Idempotency-Key': 'one' };

describe('V2-13 GET /api/v2/webhook', () => {
  test('V2-13 shows address, state, since when, and the age of the signatures without their values', async () => {
    const partner = withWebhook({
      signatureMadeAtMs: noon - 3 * day,
      nextSignatureMadeAtMs: noon - day,
      webhookChange: { by: 'operator', atMs: noon - day },
    });
    const { get } = await aV2Partner({ partners: [partner], endpoint: isOn });

    const { status, body } = await get('/api/v2/webhook');

    expect(status).toBe(200);
    expect(body).toEqual({
      url: 'https://partner.example/hook',
      state: 'on',
      since: '2026-02-28T12:01:00.000Z',
      reason: null,
      pausedBy: null,
      servedUrl: 'https://partner.example/hook',
      signature: { createdAt: '2026-02-26T12:00:00.000Z', ageDays: 3 },
      nextSignature: { createdAt: '2026-02-28T12:00:00.000Z', ageDays: 1 },
      lastChange: { at: '2026-02-28T12:00:00.000Z', by: 'operator' },
      _links: { self: { href: 'https://api.example/v2/webhook' } },
    });
  });

  test('V2-13 LINK-2 the address of its link is the same webhook', async () => {
    const { get } = await aV2Partner({ partners: [withWebhook()] });

    expect((await get('/v2/webhook')).text).toBe((await get('/api/v2/webhook/')).text);
  });

  test('V2-13 without an address it is off, and still shows the age of its signature', async () => {
    const { get } = await aV2Partner({ partners: [aPartner({ createdAtMs: noon - day })] });

    expect((await get('/api/v2/webhook')).body).toMatchObject({
      ...{ url: null, state: 'off', since: null, reason: null, servedUrl: null, lastChange: null },
      signature: { ageDays: 1 },
      nextSignature: null,
    });
  });

  test.each([
    ['HTTP_500', 'HTTP_500'],
    ['timed out', 'TIMEOUT'],
    ['name not found', 'DNS'],
    ['no connection: ECONNREFUSED', 'NO_CONNECTION'],
    ['address not allowed', 'ADDRESS_NOT_PUBLIC'],
    ['rules-quota', 'OTHER'],
  ])('V2-13 a failure of %s is shown as %s, without internal reasons', async (reason, notified) => {
    const { get } = await aV2Partner({
      partners: [withWebhook()],
      endpoint: { ...isOn, state: 'failing', reason },
    });

    expect((await get('/api/v2/webhook')).body).toMatchObject({ state: 'failing', reason: notified });
  });

  test('V2-13 S-77 while all webhooks are stopped it is paused by the operator', async () => {
    const partner = withWebhook();
    const directory = {
      byClientIds: async () => new Map([[clientId, { ...partner, webhookPaused: 'operator' as const }]]),
    };
    const { get } = await aV2Partner({ partners: [partner], endpoint: isOn, directory });

    expect((await get('/api/v2/webhook')).body).toMatchObject({ state: 'paused', pausedBy: 'operator' });
  });
});

describe('V2-13 PUT /api/v2/webhook', () => {
  test('V2-13 is 202 with Location, wakes keep-endpoints, and the former address gets events meanwhile', async () => {
    const world = await aV2Partner({ partners: [withWebhook()], endpoint: isOn });

    const { status, headers, body } = await world.ask('/api/v2/webhook', put('https://new.example/hook'));

    expect([status, headers.Location]).toEqual([202, 'https://api.example/v2/webhook']);
    expect(body).toMatchObject({
      ...{ url: 'https://new.example/hook', state: 'verifying', since: '2026-03-01T12:00:00.000Z' },
      servedUrl: 'https://partner.example/hook',
      lastChange: { at: '2026-03-01T12:00:00.000Z', by: 'partner' },
      _links: self,
    });
    expect(await world.partners.byClientId(clientId)).toMatchObject({
      ...{ webhookUrl: 'https://new.example/hook', webhookSetAtMs: noon },
      webhookChange: { by: 'partner', atMs: noon },
    });
    expect(world.endpointRequests.sent).toEqual([{ clientId }]);
  });

  test('V2-13 the same address again is checked again, and one that the operator set unchecked is checked', async () => {
    const partner = withWebhook({ webhookUnchecked: true });
    const world = await aV2Partner({ partners: [partner] });

    expect((await world.ask('/api/v2/webhook', put(url))).status).toBe(202);
    const after = await world.partners.byClientId(clientId);
    expect(after).toMatchObject({ webhookUrl: url, webhookSetAtMs: noon });
    expect(after).not.toHaveProperty('webhookUnchecked');
  });

  test('V2-13 EV-13 is 409 while events may still go to a removed address', async () => {
    const removed = aPartner({ webhookChange: { by: 'partner', atMs: noon } });
    const early = await aV2Partner({ partners: [removed], endpoint: isOn });
    const later = await aV2Partner({ partners: [removed], endpoint: off });

    const { status, body } = await early.ask('/api/v2/webhook', put(url));

    expect([status, body.type]).toEqual([409, 'https://api.example/docs/problems#changed-meanwhile']);
    expect(await early.partners.byClientId(clientId)).toEqual(removed);
    expect(early.audit.records).toEqual([]);
    expect((await later.ask('/api/v2/webhook', put(url))).status).toBe(202);
  });

  test('V2-13 EV-13 is 409 while kept events of the removed address are being ended, including the last ones', async () => {
    const removed = aPartner({ webhookChange: { by: 'partner', atMs: noon } });
    const seen = { state: 'off', sinceMs: noon, sendsKeptAtMs: noon, reached: { wanted: 'kept' } } as const;
    const last = { ...seen, sendsKeptAtMs: noon + 20_000, reached: { wanted: 'none' } } as const;

    const statuses = [];
    for (const endpoint of [seen, last]) {
      const world = await aV2Partner({ partners: [removed], endpoint });
      statuses.push((await world.ask('/api/v2/webhook', put(url))).status);
    }

    expect(statuses).toEqual([409, 409]);
  });

  test('V2-13 is 202 for a partner that never had an address, whatever its status record says', async () => {
    const endpoint = { state: 'off', sinceMs: noon, sendsKeptAtMs: noon + 20_000 } as const;
    const world = await aV2Partner({ partners: [aPartner()], endpoint });

    expect((await world.ask('/api/v2/webhook', put(url))).status).toBe(202);
  });

  test.each([
    ['http://partner.example/hook', 'The address is not an https address.'],
    ['https://127.0.0.1/hook', 'The address names its host by a number: use a host name.'],
    ['https://intranet/hook', 'The address does not name its host in full, such as hooks.partner.example.'],
    ['https://a:b@partner.example/', 'The address has a user name in it.'],
    ['nonsense', 'The address is not a web address: write https://host/path.'],
    ['https://PARTNER.example/', 'The address is to be written as https://partner.example/.'],
    [7, 'The member must be text of at most 2048 characters.'],
  ])('V2-13 S-47 %s is 422 of the field url, and nothing is changed', async (to, message) => {
    const world = await aV2Partner({ partners: [withWebhook()] });

    const { status, body } = await world.ask('/api/v2/webhook', put(to));

    expect([status, body.errors]).toEqual([422, [{ field: 'url', message }]]);
    expect(await world.partners.byClientId(clientId)).toEqual(withWebhook());
    expect(world.audit.records).toEqual([]);
  });

  test('V2-13 S-47 only the local stage accepts a loopback address', async () => {
    const endpointRules = { allowsLoopback: true };
    const world = await aV2Partner({ endpointRules, endpoint: off });

    expect((await world.ask('/api/v2/webhook', put('http://127.0.0.1:9000/'))).status).toBe(202);
  });

  test('S-13 V2-13 a member that cannot be written is refused by name', async () => {
    const world = await aV2Partner();
    const body = { url, webhookPaused: false, grants: [] };

    const { status, body: problem } = await world.ask('/api/v2/webhook', jsonBody('PUT', body));

    expect([status, problem.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['webhookPaused', 'grants'],
    ]);
  });
});

describe('V2-13 PATCH /api/v2/webhook', () => {
  test('V2-13 pauses at once, and resumes a pause of the partner', async () => {
    const world = await aV2Partner({ partners: [withWebhook()], endpoint: isOn });

    const paused = await world.ask('/api/v2/webhook', patch({ paused: true }));
    const resumed = await world.ask('/api/v2/webhook', patch({ paused: false }));

    expect([paused.status, paused.body]).toMatchObject([200, { state: 'paused', pausedBy: 'partner' }]);
    expect([resumed.status, resumed.body]).toMatchObject([200, { state: 'on', pausedBy: null }]);
    expect(world.endpointRequests.sent).toEqual([{ clientId }, { clientId }]);
    expect(await world.partners.byClientId(clientId)).not.toHaveProperty('webhookPaused');
  });

  test('V2-13 a partner cannot resume a pause of the operator, even by pausing, removing or setting the webhook', async () => {
    const partner = withWebhook({ webhookPaused: 'operator' });
    const world = await aV2Partner({ partners: [partner], endpoint: off });
    const { ask, partners } = world;
    const pausedBy = async () => (await partners.byClientId(clientId))?.webhookPaused;

    const { status, body } = await ask('/api/v2/webhook', patch({ paused: false }));
    expect([status, body.type]).toEqual([
      409,
      'https://api.example/docs/problems#webhook-paused-by-operator',
    ]);
    expect(world.audit.records).toEqual([]);
    expect((await ask('/api/v2/webhook', patch({ paused: true }))).status).toBe(200);
    expect(await pausedBy()).toBe('operator');
    expect((await ask('/api/v2/webhook', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/api/v2/webhook', put(url))).body.state).toBe('paused');
    expect(await pausedBy()).toBe('operator');
  });

  test.each([{ paused: true }, { paused: false }])(
    'V2-13 ERR-1 %j without an address is 409 with its own type',
    async (change) => {
      const { ask } = await aV2Partner();

      const { status, body } = await ask('/api/v2/webhook', patch(change));

      expect([status, body.type]).toEqual([409, 'https://api.example/docs/problems#webhook-missing']);
    },
  );

  test('V2-13 S-27 switches to the announced signature without reading it', async () => {
    const partner = withWebhook({ nextSignatureMadeAtMs: noon - day });
    const world = await aV2Partner({ partners: [partner], endpoint: isOn });

    const { status, body } = await world.ask('/api/v2/webhook', patch({ signature: 'next' }));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      signature: { createdAt: '2026-02-28T12:00:00.000Z', ageDays: 1 },
      nextSignature: null,
      state: 'on',
    });
    expect(world.steps).toEqual(['finish']);
  });

  test('V2-13 ERR-1 without an announced signature is 409 with its own type', async () => {
    const world = await aV2Partner({ partners: [withWebhook()] });

    const { status, body } = await world.ask('/api/v2/webhook', patch({ signature: 'next' }));

    expect([status, body.type]).toEqual([409, 'https://api.example/docs/problems#signature-not-announced']);
    expect(world.steps).toEqual([]);
  });

  test('V2-13 both members are one change: both or neither take effect', async () => {
    const world = await aV2Partner({ partners: [withWebhook({ nextSignatureMadeAtMs: noon - day })] });
    const both = patch({ paused: true, signature: 'next' });

    expect((await world.ask('/api/v2/webhook', both)).status).toBe(200);
    expect((await world.ask('/api/v2/webhook', patch({ paused: false, signature: 'next' }))).status).toBe(
      409,
    );
    expect(await world.partners.byClientId(clientId)).toMatchObject({
      webhookPaused: 'partner',
      signatureMadeAtMs: noon - day,
    });
  });

  test.each([
    [{}, 'paused', 'Name paused, signature, or both.'],
    [{ paused: 'yes' }, 'paused', 'The member must be true or false.'],
    [{ signature: 'mine' }, 'signature', 'The member must be "next".'],
    [{ webhookUrl: url }, 'webhookUrl', 'The member is unknown, or you cannot change it.'],
  ])('V2-13 %j is 422', async (change, field, message) => {
    const { ask } = await aV2Partner({ partners: [withWebhook()] });

    const { status, body } = await ask('/api/v2/webhook', patch(change));

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
  });

  test('V2-13 WR-3 a change without effect writes only the record of its key', async () => {
    const partner = withWebhook({ webhookPaused: 'partner' });
    const world = await aV2Partner({ partners: [partner] });

    const first = await world.ask('/api/v2/webhook', patch({ paused: true }, keyed));
    const again = await world.ask('/api/v2/webhook', patch({ paused: true }, keyed));

    expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([200, 200, 'true']);
    expect(await world.partners.byClientId(clientId)).toEqual(partner);
    expect([world.audit.records, world.endpointRequests.sent]).toEqual([[], []]);
  });
});

describe('V2-13 DELETE /api/v2/webhook', () => {
  test('V2-13 removes address and own pause, keeps the signature, and can be repeated', async () => {
    const partner = withWebhook({
      webhookPaused: 'partner',
      webhookUnchecked: true,
      signatureMadeAtMs: noon,
    });
    const world = await aV2Partner({ partners: [partner], endpoint: isOn });

    const answers = [
      await world.ask('/api/v2/webhook', { method: 'DELETE' }),
      await world.ask('/api/v2/webhook', { method: 'DELETE' }),
    ];

    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    const { webhookUrl, webhookSetAtMs, webhookPaused, webhookUnchecked, ...rest } = partner;
    expect(await world.partners.byClientId(clientId)).toEqual({
      ...rest,
      webhookChange: { by: 'partner', atMs: noon },
    });
    expect(world.audit.records).toHaveLength(1);
    expect(world.endpointRequests.sent).toEqual([{ clientId }]);
  });
});

describe('V2-13 POST /api/v2/webhook/signature', () => {
  test('V2-13 S-27 creates the next value, which only this response shows and nothing else stores', async () => {
    const world = await aV2Partner({ partners: [withWebhook()] });

    const { status, headers, body } = await world.ask('/api/v2/webhook/signature', post());

    expect([status, headers['Cache-Control']]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      signature: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      createdAt: '2026-03-01T12:00:00.000Z',
      _links: self,
    });
    expect(world.steps).toEqual([{ announce: body.signature }]);
    expect(await world.partners.byClientId(clientId)).toMatchObject({ nextSignatureMadeAtMs: noon });
    expect((await world.get('/api/v2/webhook')).text).not.toContain(body.signature);
  });

  test('V2-13 WR-1 a repeat under its key is 200 without the value, which is not stored', async () => {
    const kept: unknown[] = [];
    const world = await aV2Partner({ partners: [withWebhook()] });
    const put = world.requests.put;
    world.requests.put = (record) => {
      kept.push(record);
      put(record);
    };

    const first = await world.ask('/api/v2/webhook/signature', post(keyed));
    const again = await world.ask('/api/v2/webhook/signature', post(keyed));

    expect([again.status, again.headers['Idempotency-Replayed'], again.body]).toEqual([
      200,
      'true',
      { createdAt: '2026-03-01T12:00:00.000Z', _links: self },
    ]);
    expect(again.headers['Cache-Control']).toBe('no-store');
    expect(kept).toHaveLength(1);
    expect(JSON.stringify([kept, world.audit.records])).not.toContain(first.body.signature);
    expect(world.steps).toHaveLength(1);
  });

  test('V2-13 another request replaces a lost value', async () => {
    const world = await aV2Partner({ partners: [withWebhook({ nextSignatureMadeAtMs: noon - day })] });

    const { status, body } = await world.ask('/api/v2/webhook/signature', post());

    expect([status, world.steps]).toEqual([201, [{ announce: body.signature }]]);
    expect(await world.partners.byClientId(clientId)).toMatchObject({ nextSignatureMadeAtMs: noon });
  });
});

describe('V2-13 rights, limits and records of changes', () => {
  const changes: [string, string, object][] = [
    ['PUT', '/api/v2/webhook', put(url)],
    ['PATCH', '/api/v2/webhook', patch({ paused: true })],
    ['DELETE', '/api/v2/webhook', { method: 'DELETE' }],
    ['POST', '/api/v2/webhook/signature', post()],
    ['POST', '/api/v2/webhook/test', post()],
  ];

  test.each(changes)(
    'S-11 V2-13 %s %s needs nop2/webhook, in the token and in the partner’s record',
    async (_, path, ask) => {
      const without = aPartner({
        clientId: 'WITHOUT',
        name: 'Without',
        oauthScopes: ['nop2/read', 'nop2/write'],
      });
      const world = await aV2Partner({ partners: [withWebhook(), without] });

      for (const as of [`write.read.${clientId}`, 'WITHOUT']) {
        const { status, headers } = await world.ask(path, { ...ask, as });
        expect([status, headers['WWW-Authenticate']]).toEqual([
          403,
          'Bearer realm="api", error="insufficient_scope", scope="nop2/webhook"',
        ]);
      }
      expect(world.audit.records).toEqual([]);
    },
  );

  test('S-11 V2-13 reading needs nop2/read, and a change without it shows nothing of the webhook', async () => {
    const { ask } = await aV2Partner({ partners: [withWebhook()] });
    const as = `webhook.${clientId}`;

    expect((await ask('/api/v2/webhook', { as })).status).toBe(403);
    const set = await ask('/api/v2/webhook', { ...put('https://new.example/hook', keyed), as });
    const paused = await ask('/api/v2/webhook', { ...patch({ paused: true }), as });

    expect([set.status, set.body, paused.status, paused.body]).toEqual([
      ...[202, { _links: self }, 200, { _links: self }],
    ]);
    const again = await ask('/api/v2/webhook', put('https://new.example/hook', keyed));
    expect(again.body).toMatchObject({ url: 'https://new.example/hook' });
  });

  test('VERB-1 V2-13 OPTIONS lists the methods of each address', async () => {
    const { ask } = await aV2Partner();
    const allowed = async (path: string) => (await ask(path, { method: 'OPTIONS' })).headers.Allow;

    expect(await allowed('/api/v2/webhook')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect(await allowed('/api/v2/webhook/signature')).toBe('POST, OPTIONS');
    expect((await ask('/api/v2/webhook', { method: 'POST' })).status).toBe(405);
  });

  test('V2-13 S-40 the eleventh change of any kind in ten minutes is 429; replays of a key do not count', async () => {
    const { ask } = await aV2Partner({ partners: [withWebhook()] });
    const change = (n: number) => ask('/api/v2/webhook', patch({ paused: n % 2 === 0 }));

    await ask('/api/v2/webhook/signature', post(keyed));
    await ask('/api/v2/webhook/signature', post(keyed));
    for (let n = 0; n < 9; n += 1) expect((await change(n)).status).toBe(200);
    const { status, headers, body } = await ask('/api/v2/webhook', put(url));

    expect([status, body.type]).toEqual([429, 'https://api.example/docs/problems#too-many-requests']);
    expect(headers['Retry-After']).toBe('600');
    expect(headers['RateLimit-Policy']).toBe('"partner";q=300;w=60, "self-service";q=10;w=600');
    expect((await ask('/api/v2/webhook')).status).toBe(200);
  });

  test('V2-13 S-28 each change has an audit record that names the partner and is marked as done', async () => {
    const world = await aV2Partner({ partners: [withWebhook({ name: 'Acme' })] });
    const { ask, audit } = world;

    await ask('/api/v2/webhook', put('https://new.example/hook'));
    await ask('/api/v2/webhook', patch({ paused: true }));
    await ask('/api/v2/webhook', patch({ paused: false }));
    await ask('/api/v2/webhook/signature', post());
    await ask('/api/v2/webhook', patch({ signature: 'next' }));
    await ask('/api/v2/webhook', { method: 'DELETE' });

    const about = { who: 'Acme', caller: `partner/${clientId}`, atMs: noon };
    const given = { name: 'Acme', clientId, by: 'partner' };
    expect(audit.records).toEqual([
      { ...about, command: 'partner set-webhook', arguments: { ...given, url: 'https://new.example/hook' } },
      { ...about, command: 'partner pause', arguments: given },
      { ...about, command: 'partner resume', arguments: given },
      { ...about, command: 'partner rotate-signature', arguments: { ...given, step: 'announce' } },
      { ...about, command: 'partner rotate-signature', arguments: { ...given, step: 'finish' } },
      { ...about, command: 'partner remove-webhook', arguments: given },
    ]);
    expect(audit.done).toEqual(audit.records.map(({ command }) => command));
  });

  test('S-28 V2-13 a change whose record fails has no effect', async () => {
    const world = await aV2Partner({
      partners: [withWebhook()],
      audit: {
        append: async () => {
          throw new Error('injected');
        },
      },
    });

    expect((await world.ask('/api/v2/webhook', patch({ paused: true }))).status).toBe(500);
    expect(await world.partners.byClientId(clientId)).toEqual(withWebhook());
  });

  test('V2-13 a failed wake-up or a failed mark of the record is logged, and the change stands', async () => {
    const lines: unknown[] = [];
    const world = await aV2Partner({
      partners: [withWebhook()],
      log: (name: string, facts: object) => lines.push([name, facts]),
      endpointRequests: { send: () => Promise.reject(new Error('injected')) },
      audit: { append: async () => () => Promise.reject(new Error('injected')) },
    });

    expect((await world.ask('/api/v2/webhook', patch({ paused: true }))).status).toBe(200);
    expect(lines.slice(0, 2)).toEqual([
      ['endpointNotWoken', { clientId }],
      ['changeNotNoted', { clientId }],
    ]);
  });

  test('V2-6 V2-13 the partner’s own record shows the last change and the limit', async () => {
    const { ask, get } = await aV2Partner({ partners: [withWebhook()], endpoint: isOn });
    await ask('/api/v2/webhook', patch({ paused: true }));

    const { body } = await get('/api/v2/partner');

    expect(body.webhook).toMatchObject({
      ...{ state: 'paused', pausedBy: 'partner', host: 'partner.example' },
      lastChange: { at: '2026-03-01T12:00:00.000Z', by: 'partner' },
    });
    expect(body.limits.requests).toContainEqual({ name: 'self-service', quota: 10, windowSeconds: 600 });
  });
});

describe('WR-1 V2-13 idempotency keys and concurrent changes', () => {
  test('WR-1 a repeat under the same key gets the first answer and is done once', async () => {
    const world = await aV2Partner({ partners: [withWebhook()] });
    const set = put('https://new.example/hook', keyed);

    const first = await world.ask('/api/v2/webhook', set);
    world.time.now = new Date(noon + 60_000);
    const again = await world.ask('/api/v2/webhook', set);

    expect([again.status, again.text, again.headers['Idempotency-Replayed'], again.headers.Location]).toEqual(
      [...[202, first.text, 'true', 'https://api.example/v2/webhook']],
    );
    expect((await world.ask('/api/v2/webhook', put(url, keyed))).status).toBe(422);
    expect(await world.partners.byClientId(clientId)).toMatchObject({ webhookSetAtMs: noon });
  });

  test('WR-1 of two parallel requests under one key one is done, and both get its answer', async () => {
    const world = await aV2Partner({ partners: [withWebhook()] });

    const answers = await Promise.all([
      world.ask('/api/v2/webhook/signature', post(keyed)),
      world.ask('/api/v2/webhook/signature', post(keyed)),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(world.steps).toHaveLength(1);
  });

  test('V2-13 if the operator changed the record first, the change is decided again on the new record', async () => {
    const world = await aV2Partner({ partners: [withWebhook()] });
    const append = world.audit.append;
    world.audit.append = async (record) => {
      const before = withWebhook();
      await world.partners.update({ before, after: { ...before, grants: [{ group: 'group-z' }] } });
      return append(record);
    };

    expect((await world.ask('/api/v2/webhook', patch({ paused: true }))).status).toBe(200);
    expect(await world.partners.byClientId(clientId)).toMatchObject({
      grants: [{ group: 'group-z' }],
      webhookPaused: 'partner',
    });
  });

  test('V2-13 a request does not resume a webhook that the operator paused meanwhile', async () => {
    const world = await aV2Partner({ partners: [withWebhook({ webhookPaused: 'partner' })] });
    const append = world.audit.append;
    world.audit.append = async (record) => {
      const before = withWebhook({ webhookPaused: 'partner' });
      await world.partners.update({ before, after: { ...before, webhookPaused: 'operator' } });
      return append(record);
    };

    const { status, body } = await world.ask('/api/v2/webhook', patch({ paused: false }));

    expect([status, body.type]).toEqual([
      409,
      'https://api.example/docs/problems#webhook-paused-by-operator',
    ]);
    expect(world.audit.done).toEqual([]);
  });

  test.each([
    ['disables it', { enabled: false }],
    ['takes nop2/webhook from it', { oauthScopes: ['nop2/read' as const] }],
  ])('S-08 V2-13 a request is not carried out if the operator %s meanwhile', async (_, change) => {
    const world = await aV2Partner({ partners: [withWebhook()] });
    const append = world.audit.append;
    const after = withWebhook(change);
    world.audit.append = async (record) => {
      await world.partners.update({ before: withWebhook(), after });
      return append(record);
    };

    const { status, body } = await world.ask('/api/v2/webhook', put('https://new.example/hook'));

    expect([status, body.type]).toEqual([409, 'https://api.example/docs/problems#changed-meanwhile']);
    expect(await world.partners.byClientId(clientId)).toEqual(after);
    expect([world.audit.done, world.endpointRequests.sent]).toEqual([[], []]);
  });

  test('V2-13 ERR-1 two lost races are 409 with their own type', async () => {
    const { ask } = await aV2Partner({
      partners: [withWebhook()],
      replaceWebhook: async () => ({ ok: false, reason: 'changed-meanwhile' }),
    });

    const { status, body } = await ask('/api/v2/webhook', patch({ paused: true }));

    expect([status, body.type]).toEqual([409, 'https://api.example/docs/problems#changed-meanwhile']);
  });
});

test('S-03 S-04 V2-13 a partner’s calls neither read nor change another partner’s webhook', async () => {
  const other = withWebhook({
    ...{ clientId: 'OTHER', name: 'Other', webhookUrl: 'https://other.example/secret-path' },
    nextSignatureMadeAtMs: noon - day,
  });
  const without = aPartner();
  const world = await aV2Partner({ partners: [without, other], endpoint: off });
  const calls = [{}, put(url), patch({ paused: true }), patch({ signature: 'next' }), { method: 'DELETE' }];

  const answers = [];
  for (const call of calls) answers.push(await world.ask('/api/v2/webhook', call));
  answers.push(await world.ask('/api/v2/webhook/signature', post()));

  expect(answers.map(({ status }) => status)).toEqual([200, 202, 200, 409, 204, 201]);
  expect(answers.filter(({ text }) => text.includes('other.example'))).toEqual([]);
  expect(await world.partners.byClientId('OTHER')).toEqual(other);
  expect(world.endpointRequests.sent.filter((one) => one.clientId !== without.clientId)).toEqual([]);
});

test('WR-1 S-03 keys of different partners are independent', async () => {
  const other = withWebhook({ clientId: 'OTHER', name: 'Other' });
  const world = await aV2Partner({ partners: [withWebhook(), other] });

  await world.ask('/api/v2/webhook', put('https://new.example/hook', keyed));
  const { status, headers } = await world.ask('/api/v2/webhook', { ...put(url, keyed), as: 'OTHER' });

  expect([status, headers['Idempotency-Replayed']]).toEqual([202, undefined]);
});
