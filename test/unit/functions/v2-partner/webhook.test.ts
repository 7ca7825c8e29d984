import { describe, expect, test } from '@jest/globals';
import type { EndpointStatus } from '../../../../functions/shared/domain/endpoint.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const webhook = '/api/v2/webhook';
const signature = '/api/v2/webhook/signature';
const self = { self: { href: 'https://api.example/v2/webhook' } };
const url = 'https://partner.example/hook';
const newUrl = 'https://new.example/hook';
const withWebhook = (changes: Partial<Partner> = {}) =>
  aPartner({ webhookUrl: url, webhookSetAtMs: noon - day, createdAtMs: noon - 9 * day, ...changes });
const { clientId } = aPartner();
const isOn: EndpointStatus = {
  ...{ state: 'on', sinceMs: noon - day + 60_000, servedUrl: url, servedSetAtMs: noon - day },
};
const off: EndpointStatus = { state: 'off', sinceMs: noon - day, reached: { wanted: 'none' } };
/** Its webhook was removed, and keep-endpoints has not followed yet. */
const removed = aPartner({ webhookChange: { by: 'partner', atMs: noon } });

const put = (to: unknown) => ({ method: 'PUT', json: { url: to } });
const patch = (json: object) => ({ method: 'PATCH', json });
const post = { method: 'POST' };
const remove = { method: 'DELETE' };
const headers = { 'Idempotency-Key': 'one' };
const problemOf = (type: string) => `https://api.example/docs/problems#${type}`;

/** A partner with a webhook, unless it is another. */
const aWorld = (more: Parameters<typeof aV2Partner>[0] = {}) =>
  aV2Partner({ partners: [withWebhook()], ...more });

/** A world in which the operator changes the partner before a request of its own is recorded. */
const anOvertakenWorld = async (before: Partner, after: Partner) => {
  const world = await aWorld({ partners: [before] });
  const { append } = world.audit;
  world.audit.append = async (record) => {
    await world.partners.update({ before, after });
    return append(record);
  };
  return world;
};

describe('V2-13 GET /api/v2/webhook', () => {
  test('V2-13 V2-6 tells address, state, since when, and the ages of the signatures, and no value', async () => {
    const partner = withWebhook({
      signatureMadeAtMs: noon - 3 * day,
      nextSignatureMadeAtMs: noon - day,
      webhookChange: { by: 'operator', atMs: noon - day },
    });
    const { get } = await aWorld({ partners: [partner], endpoint: isOn });
    const shown = {
      state: 'on',
      since: '2026-02-28T12:01:00.000Z',
      reason: null,
      pausedBy: null,
      signature: { createdAt: '2026-02-26T12:00:00.000Z', ageDays: 3 },
      nextSignature: { createdAt: '2026-02-28T12:00:00.000Z', ageDays: 1 },
      lastChange: { at: '2026-02-28T12:00:00.000Z', by: 'operator' },
    };

    const { status, body } = await get(webhook);

    expect([status, body]).toEqual([200, { url, servedUrl: url, ...shown, _links: self }]);
    const own = await get('/api/v2/partner');
    expect(own.body.webhook).toEqual({ ...shown, host: 'partner.example', lastFailure: null });
  });

  test('V2-13 LINK-2 the address of its link is the same webhook', async () => {
    const { get } = await aWorld();

    expect((await get('/v2/webhook')).text).toBe((await get('/api/v2/webhook/')).text);
  });

  test('V2-13 without an address it is off, and still shows the age of its signature', async () => {
    const { get } = await aWorld({ partners: [aPartner({ createdAtMs: noon - day })] });

    expect((await get(webhook)).body).toMatchObject({
      url: null,
      servedUrl: null,
      state: 'off',
      since: null,
      reason: null,
      lastChange: null,
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
    const { get } = await aWorld({ endpoint: { ...isOn, state: 'failing', reason } });

    expect((await get(webhook)).body).toMatchObject({ state: 'failing', reason: notified });
  });
});

describe('V2-13 changes of a webhook', () => {
  test('V2-13 a new address is 202 with where to look, wakes keep-endpoints, and the former one serves on', async () => {
    const world = await aWorld({ endpoint: isOn });

    const { status, headers: answered, body } = await world.ask(webhook, put(newUrl));

    expect([status, answered.Location]).toEqual([202, 'https://api.example/v2/webhook']);
    expect(body).toMatchObject({
      url: newUrl,
      state: 'verifying',
      since: '2026-03-01T12:00:00.000Z',
      servedUrl: url,
      lastChange: { at: '2026-03-01T12:00:00.000Z', by: 'partner' },
      _links: self,
    });
    const webhookChange = { by: 'partner', atMs: noon } as const;
    const after = withWebhook({ webhookUrl: newUrl, webhookSetAtMs: noon, webhookChange });
    expect(await world.partners.byClientId(clientId)).toEqual(after);
    expect(world.endpointRequests.sent).toEqual([{ clientId }]);
  });

  test('V2-13 the same address again is checked again, and one that the operator set unchecked is checked', async () => {
    const world = await aWorld({ partners: [withWebhook({ webhookUnchecked: true })] });

    expect((await world.ask(webhook, put(url))).status).toBe(202);
    const after = await world.partners.byClientId(clientId);
    expect(after).toMatchObject({ webhookUrl: url, webhookSetAtMs: noon });
    expect(after).not.toHaveProperty('webhookUnchecked');
  });

  const looksAt: EndpointStatus = { state: 'off', sinceMs: noon, sendsKeptAtMs: noon + 20_000 };
  test.each<[string, Parameters<typeof aV2Partner>[0]]>([
    ['after a removed one that cannot serve any more', { partners: [removed], endpoint: off }],
    [
      'while the service looks at a partner that never had one',
      { partners: [aPartner()], endpoint: looksAt },
    ],
  ])('V2-13 an address is set %s', async (_, more) => {
    const { ask } = await aWorld(more);

    expect((await ask(webhook, put(url))).status).toBe(202);
  });

  test('V2-13 V2-6 a pause begins at once and shows in the partner’s own record, and its own pause it ends', async () => {
    const world = await aWorld({ endpoint: isOn });

    const paused = await world.ask(webhook, patch({ paused: true }));
    const own = await world.get('/api/v2/partner');
    const resumed = await world.ask(webhook, patch({ paused: false }));

    expect([paused.status, paused.body]).toMatchObject([200, { state: 'paused', pausedBy: 'partner' }]);
    const lastChange = { at: '2026-03-01T12:00:00.000Z', by: 'partner' };
    expect(own.body.webhook).toMatchObject({ state: 'paused', pausedBy: 'partner', lastChange });
    expect([resumed.status, resumed.body]).toMatchObject([200, { state: 'on', pausedBy: null }]);
    expect(world.endpointRequests.sent).toEqual([{ clientId }, { clientId }]);
    expect(await world.partners.byClientId(clientId)).not.toHaveProperty('webhookPaused');
  });

  test('V2-13 the operator’s pause outlasts a pause, a removal and a new address', async () => {
    const stopped = withWebhook({ webhookPaused: 'operator' });
    const { ask, partners } = await aWorld({ partners: [stopped], endpoint: off });

    expect((await ask(webhook, patch({ paused: true }))).status).toBe(200);
    expect((await ask(webhook, remove)).status).toBe(204);
    expect((await ask(webhook, put(url))).body.state).toBe('paused');
    expect((await partners.byClientId(clientId))?.webhookPaused).toBe('operator');
  });

  test('V2-13 S-27 switches to the announced signature without reading it', async () => {
    const partner = withWebhook({ nextSignatureMadeAtMs: noon - day });
    const world = await aWorld({ partners: [partner], endpoint: isOn });

    const { status, body } = await world.ask(webhook, patch({ signature: 'next' }));

    const chosen = { createdAt: '2026-02-28T12:00:00.000Z', ageDays: 1 };
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'on', signature: chosen, nextSignature: null });
    expect(world.steps).toEqual(['finish']);
  });

  test('V2-13 a pause and a switch of the signature can be one change', async () => {
    const world = await aWorld({ partners: [withWebhook({ nextSignatureMadeAtMs: noon - day })] });

    expect((await world.ask(webhook, patch({ paused: true, signature: 'next' }))).status).toBe(200);
    const partner = await world.partners.byClientId(clientId);
    expect(partner).toMatchObject({ webhookPaused: 'partner', signatureMadeAtMs: noon - day });
  });

  test('V2-13 a removal takes address and own pause, keeps the signature, and again is the same', async () => {
    const kept = aPartner({ createdAtMs: noon - 9 * day, signatureMadeAtMs: noon });
    const partner = withWebhook({ ...kept, webhookPaused: 'partner', webhookUnchecked: true });
    const world = await aWorld({ partners: [partner], endpoint: isOn });

    const answers = [await world.ask(webhook, remove), await world.ask(webhook, remove)];

    expect(answers).toMatchObject(Array(2).fill({ status: 204, text: '' }));
    const after = { ...kept, webhookChange: { by: 'partner', atMs: noon } };
    expect(await world.partners.byClientId(clientId)).toEqual(after);
    expect(world.audit.records).toHaveLength(1);
    expect(world.endpointRequests.sent).toEqual([{ clientId }]);
  });

  test('V2-13 WR-3 a change without effect writes only the record of its key', async () => {
    const partner = withWebhook({ webhookPaused: 'partner' });
    const world = await aWorld({ partners: [partner] });

    const first = await world.ask(webhook, { ...patch({ paused: true }), headers });
    const again = await world.ask(webhook, { ...patch({ paused: true }), headers });

    expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([200, 200, 'true']);
    expect(await world.partners.byClientId(clientId)).toEqual(partner);
    expect([world.audit.records, world.endpointRequests.sent]).toEqual([[], []]);
  });
});

describe('V2-13 refused changes of a webhook', () => {
  const ending: EndpointStatus = {
    state: 'off',
    sinceMs: noon,
    sendsKeptAtMs: noon,
    reached: { wanted: 'kept' },
  };
  const ended: EndpointStatus = { ...ending, sendsKeptAtMs: noon + 20_000, reached: { wanted: 'none' } };
  const stopped = withWebhook({ webhookPaused: 'operator' });
  const pause = patch({ paused: true });
  const resume = patch({ paused: false });
  const both = patch({ paused: true, signature: 'next' });

  test.each([
    ['an address while events may go to the former one', put(url), removed, isOn, 'changed-meanwhile'],
    ['an address while what was kept is ended', put(url), removed, ending, 'changed-meanwhile'],
    ['an address while the last that was kept is ended', put(url), removed, ended, 'changed-meanwhile'],
    ['the end of a pause of the operator', resume, stopped, isOn, 'webhook-paused-by-operator'],
    ['a pause without an address', pause, aPartner(), off, 'webhook-missing'],
    ['the end of a pause without an address', resume, aPartner(), off, 'webhook-missing'],
    ['a signature that was not announced', both, withWebhook(), isOn, 'signature-not-announced'],
  ])('V2-13 ERR-1 EV-13 %s is 409 by a type of its own, and nothing is changed', async (...row) => {
    const [, asked, partner, endpoint, type] = row;
    const world = await aWorld({ partners: [partner], endpoint });

    const { body } = await world.ask(webhook, asked);

    expect(body).toMatchObject({ status: 409, type: problemOf(type) });
    expect(await world.partners.byClientId(clientId)).toEqual(partner);
    expect([world.audit.records, world.endpointRequests.sent, world.steps]).toEqual([[], [], []]);
  });

  const unknown = 'The member is unknown, or you cannot change it.';
  test.each([
    [put('http://partner.example/hook'), 'url', 'The address is not an https address.'],
    [put('https://127.0.0.1/'), 'url', 'The address names its host by a number: use a host name.'],
    [put('https://a:b@partner.example/'), 'url', 'The address has a user name in it.'],
    [put('https://PARTNER.example/'), 'url', 'The address is to be written as https://partner.example/.'],
    [put(7), 'url', 'The member must be text of at most 2048 characters.'],
    [{ method: 'PUT', json: { url, grants: [] } }, 'grants', unknown],
    [patch({}), 'paused', 'Name paused, signature, or both.'],
    [patch({ paused: 'yes' }), 'paused', 'The member must be true or false.'],
    [patch({ signature: 'mine' }), 'signature', 'The member must be "next".'],
    [patch({ webhookUrl: url }), 'webhookUrl', unknown],
  ])('S-13 S-47 V2-13 %j is 422 of the field %s, and nothing is changed', async (asked, field, message) => {
    const world = await aWorld();

    const { status, body } = await world.ask(webhook, asked);

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
    expect(await world.partners.byClientId(clientId)).toEqual(withWebhook());
    expect(world.audit.records).toEqual([]);
  });
});

describe('V2-13 POST /api/v2/webhook/signature', () => {
  test.each([
    ['makes the next value', {}],
    ['replaces one that was lost', { nextSignatureMadeAtMs: noon - day }],
  ])('V2-13 S-27 %s, which is shown in this answer alone, and nobody keeps', async (_, changes) => {
    const world = await aWorld({ partners: [withWebhook(changes)] });

    const { status, headers: answered, body } = await world.ask(signature, post);

    expect([status, answered['Cache-Control']]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      signature: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      createdAt: '2026-03-01T12:00:00.000Z',
      _links: self,
    });
    expect(world.steps).toEqual([{ announce: body.signature }]);
    expect(await world.partners.byClientId(clientId)).toMatchObject({ nextSignatureMadeAtMs: noon });
    expect((await world.get(webhook)).text).not.toContain(body.signature);
  });

  test('V2-13 WR-1 a repeat under its key is 200 without the value, which is not stored', async () => {
    const kept: unknown[] = [];
    const world = await aWorld();
    const { put: keep } = world.requests;
    world.requests.put = (record) => {
      kept.push(record);
      keep(record);
    };

    const first = await world.ask(signature, { ...post, headers });
    const again = await world.ask(signature, { ...post, headers });

    expect(again).toMatchObject({
      status: 200,
      headers: { 'Idempotency-Replayed': 'true', 'Cache-Control': 'no-store' },
    });
    expect(again.body).toEqual({ createdAt: '2026-03-01T12:00:00.000Z', _links: self });
    expect(kept).toHaveLength(1);
    expect(JSON.stringify([kept, world.audit.records])).not.toContain(first.body.signature);
    expect(world.steps).toHaveLength(1);
  });
});

describe('V2-13 rights, limits and records of changes', () => {
  test.each([
    [webhook, put(url)],
    [webhook, patch({ paused: true })],
    [webhook, remove],
    [signature, post],
    ['/api/v2/webhook/test', post],
  ])('S-11 V2-13 %s by %j takes nop2/webhook, of the token and of the partner', async (path, ask) => {
    const without = aPartner({
      clientId: 'WITHOUT',
      name: 'Without',
      oauthScopes: ['nop2/read', 'nop2/write'],
    });
    const world = await aWorld({ partners: [withWebhook(), without] });

    for (const as of [`write.read.${clientId}`, 'WITHOUT'])
      expect(await world.ask(path, { ...ask, as })).toMatchObject({
        status: 403,
        headers: {
          'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="nop2/webhook"',
        },
      });
    expect(world.audit.records).toEqual([]);
  });

  test('S-11 V2-13 reading needs nop2/read, and a change without it shows nothing of the webhook', async () => {
    const { ask } = await aWorld();
    const as = `webhook.${clientId}`;

    const set = await ask(webhook, { ...put(newUrl), headers, as });
    const paused = await ask(webhook, { ...patch({ paused: true }), as });

    expect((await ask(webhook, { as })).status).toBe(403);
    expect([set.status, set.body]).toEqual([202, { _links: self }]);
    expect([paused.status, paused.body]).toEqual([200, { _links: self }]);
    const again = await ask(webhook, { ...put(newUrl), headers });
    expect(again.body).toMatchObject({ url: newUrl });
  });

  test('VERB-1 V2-13 OPTIONS lists the methods of each address', async () => {
    const { ask } = await aWorld();
    const allowed = async (path: string) => (await ask(path, { method: 'OPTIONS' })).headers.Allow;

    expect(await allowed(webhook)).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect(await allowed(signature)).toBe('POST, OPTIONS');
    expect((await ask(webhook, post)).status).toBe(405);
  });

  test('V2-13 S-40 the eleventh change of any kind in ten minutes is 429; replays of a key do not count', async () => {
    const { ask } = await aWorld();

    await ask(signature, { ...post, headers });
    await ask(signature, { ...post, headers });
    for (let n = 0; n < 9; n += 1)
      expect((await ask(webhook, patch({ paused: n % 2 === 0 }))).status).toBe(200);
    const { body, headers: answered } = await ask(webhook, put(url));

    expect(body).toMatchObject({ status: 429, type: problemOf('too-many-requests') });
    expect(answered).toMatchObject({
      'Retry-After': '600',
      'RateLimit-Policy': '"partner";q=300;w=60, "self-service";q=10;w=600',
    });
    expect((await ask(webhook)).status).toBe(200);
  });

  test('V2-13 S-28 each change has an audit record that names the partner and is marked as done', async () => {
    const { ask, audit } = await aWorld();
    const changes = [put(newUrl), patch({ paused: true }), patch({ paused: false })];

    for (const change of changes) await ask(webhook, change);
    await ask(signature, post);
    await ask(webhook, patch({ signature: 'next' }));
    await ask(webhook, remove);

    const about = { who: 'Acme', caller: `partner/${clientId}`, atMs: noon };
    const given = { name: 'Acme', clientId, by: 'partner' };
    expect(audit.records).toEqual([
      { ...about, command: 'partner set-webhook', arguments: { ...given, url: newUrl } },
      { ...about, command: 'partner pause', arguments: given },
      { ...about, command: 'partner resume', arguments: given },
      { ...about, command: 'partner rotate-signature', arguments: { ...given, step: 'announce' } },
      { ...about, command: 'partner rotate-signature', arguments: { ...given, step: 'finish' } },
      { ...about, command: 'partner remove-webhook', arguments: given },
    ]);
    expect(audit.done).toEqual(audit.records.map(({ command }) => command));
  });

  test('S-28 V2-13 a change whose record fails has no effect', async () => {
    const world = await aWorld({ audit: { append: () => Promise.reject(new Error('injected')) } });

    expect((await world.ask(webhook, patch({ paused: true }))).status).toBe(500);
    expect(await world.partners.byClientId(clientId)).toEqual(withWebhook());
  });

  test('V2-13 a failed wake-up or a failed mark of the record is logged, and the change stands', async () => {
    const lines: unknown[] = [];
    const fail = () => Promise.reject(new Error('injected'));
    const { ask } = await aWorld({
      log: (name: string, facts: object) => lines.push([name, facts]),
      endpointRequests: { send: fail },
      audit: { append: async () => fail },
    });

    expect((await ask(webhook, patch({ paused: true }))).status).toBe(200);
    expect(lines.slice(0, 2)).toEqual([
      ['endpointNotWoken', { clientId }],
      ['changeNotNoted', { clientId }],
    ]);
  });
});

describe('WR-1 V2-13 idempotency keys and concurrent changes', () => {
  test('WR-1 S-03 the same request of its partner under its key is answered as the first was, and done once', async () => {
    const other = withWebhook({ clientId: 'OTHER', name: 'Other' });
    const world = await aWorld({ partners: [withWebhook(), other] });
    const set = { ...put(newUrl), headers };

    const first = await world.ask(webhook, set);
    world.time.now = new Date(noon + 60_000);
    const again = await world.ask(webhook, set);
    const others = await world.ask(webhook, { ...set, as: 'OTHER' });

    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers).toMatchObject({
      'Idempotency-Replayed': 'true',
      Location: 'https://api.example/v2/webhook',
    });
    expect((await world.ask(webhook, { ...put(url), headers })).status).toBe(422);
    expect(await world.partners.byClientId(clientId)).toMatchObject({ webhookSetAtMs: noon });
    expect([others.status, others.headers['Idempotency-Replayed']]).toEqual([202, undefined]);
  });

  test('WR-1 of two parallel requests under one key one is done, and both get its answer', async () => {
    const world = await aWorld();
    const announce = () => world.ask(signature, { ...post, headers });

    const answers = await Promise.all([announce(), announce()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(world.steps).toHaveLength(1);
  });

  test('V2-13 if the operator changed the record first, the change is decided again on the new record', async () => {
    const grants = [{ group: 'group-z' }];
    const { ask, partners } = await anOvertakenWorld(withWebhook(), withWebhook({ grants }));

    expect((await ask(webhook, patch({ paused: true }))).status).toBe(200);
    expect(await partners.byClientId(clientId)).toMatchObject({ grants, webhookPaused: 'partner' });
  });

  test.each<[string, Partial<Partner>, string]>([
    ['disables the partner', { enabled: false }, 'changed-meanwhile'],
    ['takes nop2/webhook from it', { oauthScopes: ['nop2/read'] }, 'changed-meanwhile'],
    ['pauses its webhook', { webhookPaused: 'operator' }, 'webhook-paused-by-operator'],
  ])('S-08 V2-13 where the operator was faster and %s, a pause is not ended', async (_, change, type) => {
    const after = withWebhook(change);
    const world = await anOvertakenWorld(withWebhook({ webhookPaused: 'partner' }), after);

    const { body } = await world.ask(webhook, patch({ paused: false }));

    expect(body).toMatchObject({ status: 409, type: problemOf(type) });
    expect(await world.partners.byClientId(clientId)).toEqual(after);
    expect([world.audit.done, world.endpointRequests.sent]).toEqual([[], []]);
  });

  test('V2-13 ERR-1 two lost races are 409 with their own type', async () => {
    const { ask } = await aWorld({
      replaceWebhook: async () => ({ ok: false, reason: 'changed-meanwhile' }),
    });

    const { body } = await ask(webhook, patch({ paused: true }));

    expect(body).toMatchObject({ status: 409, type: problemOf('changed-meanwhile') });
  });
});

test('S-03 S-04 V2-13 a partner’s calls neither read nor change another partner’s webhook', async () => {
  const other = withWebhook({
    ...{ clientId: 'OTHER', name: 'Other', webhookUrl: 'https://other.example/secret-path' },
    nextSignatureMadeAtMs: noon - day,
  });
  const world = await aWorld({ partners: [aPartner(), other], endpoint: off });
  const calls = [{}, put(url), patch({ paused: true }), patch({ signature: 'next' }), remove];

  const answers = [];
  for (const call of calls) answers.push(await world.ask(webhook, call));
  answers.push(await world.ask(signature, post));

  expect(answers.map(({ status }) => status)).toEqual([200, 202, 200, 409, 204, 201]);
  expect(answers.filter(({ text }) => text.includes('other.example'))).toEqual([]);
  expect(await world.partners.byClientId('OTHER')).toEqual(other);
  expect(world.endpointRequests.sent.filter((one) => one.clientId !== clientId)).toEqual([]);
});
