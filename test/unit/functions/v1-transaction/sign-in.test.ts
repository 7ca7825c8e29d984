import { describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { VerifyIdToken } from '../../../../functions/v1-transaction/id-token.ts';
import { address, aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { sending } from '../../../support/builders/http-event.ts';
import { respelled } from '../../../support/builders/respelled-token.ts';
import { anOwner } from '../../../support/builders/transactions.ts';
import { createMemorySessions } from '../../../support/memory/sessions.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const otherShop = 'https://other.example';
const identityProvider = { issuer: 'https://id.example', audience: 'shop', algorithm: 'RS256' } as const;
const registered = [
  aStorefront('F1', 'north', { identityProvider }),
  aStorefront('F1', 'south', { createdAtMs: 1, identityProvider }),
  aStorefront('F1', 'anonymous', { createdAtMs: 2 }),
  aStorefront('F1', 'club', { createdAtMs: 3, identityProvider: { ...identityProvider, audience: 'club' } }),
  aStorefront('F1', 'retired', { origins: ['https://retired.example'], retired: true, identityProvider }),
  aStorefront('F2', 'other', { origins: [otherShop] }),
];

/** An ID token is the name of its user; the shop's client of the provider signs everybody in but `nobody`. */
const verifyIdToken: VerifyIdToken = async (subject, providers) => {
  const provider = providers.find(({ audience }) => audience === 'shop');
  return provider && subject !== 'nobody' ? succeed({ provider, subject }) : refuse('invalid-token');
};

const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const tokenExchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: idTokenType,
};
const invalidGrant = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description:
      'A token is invalid, expired, older than 10 minutes, or not of this storefront. Sign in again, without actor_token if it was sent.',
  },
};

type Form = Record<string, string>;
const aShop = async (more: Parameters<typeof aV1>[0] = {}) => {
  const v1 = await aV1({ registered, hasStageDefault: false, verifyIdToken, ...more });
  const stage = aStorefront('F9', 'stage', { origins: [], identityProvider });
  await v1.storefronts.register(stage, { isDefault: true });
  const signIn = (user: string, more: Form = {}, headers: Form = {}) =>
    v1.ask('/api/session', {
      method: 'POST',
      body: new URLSearchParams({ ...tokenExchange, subject_token: user, ...more }).toString(),
      headers: { Origin: shop, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  /** A checkout, in a new session or in that of a token. */
  const create = async (token?: string) => {
    const headers = { Origin: shop, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    const answer = await v1.ask(address, sending('POST', { extras: { a: 1 } }, headers));
    return { status: answer.status, uuid: String(answer.body.uuid), token: answer.token ?? '' };
  };
  /** Completes or deletes a checkout. */
  const end = async (uuid: string, how: { status: 1 } | { isDeleted: 1 }) => {
    const before = await v1.transactions.byUuid(uuid);
    if (!before) throw new Error(`There is no ${uuid}`);
    const transaction = { ...before.transaction, ...how };
    await v1.transactions.replace(before, { ...before, version: 2, transaction });
  };
  const list = (token: string) => v1.as(token, `${address}?filter[status]=0&per-page=50`);
  return {
    ...v1,
    signIn,
    create,
    end,
    list,
    /** Signs a user in and continues an anonymous session. */
    continuing: (actor_token: string, user: string, headers: Form = {}) =>
      signIn(user, { actor_token, actor_token_type: accessTokenType }, headers),
    tokenOf: async (user: string) => String((await signIn(user)).body.access_token),
    uuidsOf: async (token: string) => (await list(token)).body.data.map(({ uuid }: { uuid: string }) => uuid),
  };
};

test('V1-10 a user has one session on every device, with a V1 token', async () => {
  const { signIn, sessionOf, create, uuidsOf } = await aShop();

  const one = await signIn('ada');
  const other = await signIn('ada');
  const { uuid } = await create(one.token);

  expect(one).toMatchObject({
    status: 200,
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Access-Control-Allow-Origin': shop },
  });
  expect(one.body).toEqual({
    access_token: one.token,
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: 2_592_000,
  });
  expect(await sessionOf(one.token)).toMatch(/^user-[\w-]{43}$/);
  expect(await uuidsOf(other.body.access_token)).toEqual([uuid]);
});

test('V1-10 S-26 an anonymous checkout moves into the session of its user, and its own token is refused', async () => {
  const { create, continuing, transactions, uuidsOf, list, sessionOf } = await aShop();
  const anonymous = await create();
  const before = await transactions.byUuid(anonymous.uuid);

  const { status, token = '' } = await continuing(anonymous.token, 'ada');
  const again = await continuing(anonymous.token, 'ada');
  const ofAnother = await continuing(anonymous.token, 'thief');

  expect([status, again.status]).toEqual([200, 200]);
  expect(ofAnother).toMatchObject(invalidGrant);
  expect(await uuidsOf(token)).toEqual([anonymous.uuid]);
  expect((await list(anonymous.token)).status).toBe(401);
  expect((await create(anonymous.token)).status).toBe(401);
  // Nothing but the session differs, so the stream of changes sees none.
  expect(await transactions.byUuid(anonymous.uuid)).toEqual({ ...before, session: await sessionOf(token) });
});

test('V1-10 a change that was read before the move and is written after it does not undo it', async () => {
  const { create, ask, transactions } = await aShop();
  const { uuid, token } = await create();
  const before = await transactions.byUuid(uuid);
  if (!before) throw new Error('not created');
  const moved = { ...before, session: 'user-of-the-move' };
  const { replace } = transactions;
  transactions.replace = async (...change) => {
    transactions.replace = replace;
    await replace(before, moved);
    return replace(...change);
  };

  const headers = { Origin: shop, Authorization: `Bearer ${token}` };
  const late = await ask(`${address}/${uuid}`, sending('PATCH', { guestEmail: 'late@b.example' }, headers));

  expect(late.status).toBe(404);
  expect(await transactions.byUuid(uuid)).toEqual(moved);
});

test('V1-10 a complete checkout moves, too', async () => {
  const { create, end, continuing, transactions, sessionOf } = await aShop();
  const { uuid, token: anonymous } = await create();
  await end(uuid, { status: 1 });

  const { token = '' } = await continuing(anonymous, 'ada');

  expect((await transactions.byUuid(uuid))?.session).toBe(await sessionOf(token));
});

describe('V1-10 S-26 a move that dies', () => {
  test.each([1, 2])('at transaction %i is finished by its user, and by nobody else', async (failsAt) => {
    const memory = createMemoryTransactions();
    let writes = 0;
    const replace: typeof memory.replace = async (...write) => {
      writes += 1;
      if (writes === failsAt) throw new Error('The function dies');
      return memory.replace(...write);
    };
    const { create, continuing, list, uuidsOf } = await aShop({ transactions: { ...memory, replace } });
    const first = await create();
    const second = await create(first.token);

    const died = await continuing(first.token, 'ada');
    // A partner may move a transaction to another location before the user comes back.
    const before = await memory.byUuid(second.uuid);
    const transaction = before && { ...before.transaction, ndMeta: anOwner() };
    if (before && transaction) await memory.replace(before, { ...before, version: 2, transaction });
    const stranger = await continuing(first.token, 'stranger');
    const own = await list(first.token);
    const finished = await continuing(first.token, 'ada');

    expect([died, stranger, own, finished].map(({ status }) => status)).toEqual([500, 400, 401, 200]);
    expect(await uuidsOf(finished.token ?? '')).toEqual([first.uuid, second.uuid]);
  });

  test('before the end of the anonymous session is written has moved nothing', async () => {
    const endBySignIn = () => Promise.reject(new Error('The function dies'));
    const { create, continuing, uuidsOf } = await aShop({
      sessions: { ...createMemorySessions(), endBySignIn },
    });
    const anonymous = await create();

    const { status } = await continuing(anonymous.token, 'ada');

    expect(status).toBe(500);
    expect(await uuidsOf(anonymous.token)).toEqual([anonymous.uuid]);
  });
});

describe('V1-10 which sessions a user continues', () => {
  test.each([
    ['of a location here', {}, '?location=south', 200],
    ['of another origin', { Origin: otherShop }, '', 400],
    ['of a location here without the identity provider', {}, '?location=anonymous', 400],
    ['of a location here that is another client of it', {}, '?location=club', 400],
  ])('the checkout of an anonymous session %s moves (200) or stays (400): %j %s %i', async (...row) => {
    const [, headers, query, expected] = row;
    const { ask, continuing, uuidsOf } = await aShop();
    const { body, token = '' } = await ask(`${address}${query}`, { headers: { Origin: shop, ...headers } });

    const moved = await continuing(token, 'ada');

    expect(moved).toMatchObject(expected === 200 ? { status: 200 } : invalidGrant);
    expect(await uuidsOf(moved.token ?? token)).toEqual([body.uuid]);
  });

  test('no session that the operator ended, none of a user, and none whose token is forged', async () => {
    const { create, continuing, sessions, sessionOf, tokenOf, list } = await aShop();
    const [ended, forged] = [await create(), await create()];
    await sessions.revoke(await sessionOf(ended.token), new Date());
    const ada = await tokenOf('ada');

    const answers = [
      await continuing(ended.token, 'thief'),
      await continuing(forged.token.replace(/^(.)/, 'x'), 'thief'),
      await continuing(ada, 'ada'),
      await continuing(ada, 'thief'),
    ];

    for (const answer of answers) expect(answer).toMatchObject(invalidGrant);
    expect([(await list(ada)).status, (await list(forged.token)).status]).toEqual([200, 200]);
  });

  test('TOK-4 none whose token is spelt in another way', async () => {
    const { create, continuing, uuidsOf } = await aShop();
    const anonymous = await create();

    for (const [change, text] of respelled(anonymous.token))
      expect([change, await continuing(text, 'ada')]).toMatchObject([change, invalidGrant]);
    expect(await uuidsOf(anonymous.token)).toEqual([anonymous.uuid]);
  });

  test('none with an invalid ID token: the session goes on', async () => {
    const { create, continuing, uuidsOf } = await aShop();
    const anonymous = await create();

    const { token, headers, ...answer } = await continuing(anonymous.token, 'nobody');

    expect(answer).toMatchObject(invalidGrant);
    expect([token, headers['Cache-Control']]).toEqual([undefined, 'no-store']);
    expect(await uuidsOf(anonymous.token)).toEqual([anonymous.uuid]);
  });

  test('none while the provider gives no key set: 503, and a line of the log', async () => {
    const logged: string[] = [];
    const { create, continuing, uuidsOf } = await aShop({
      verifyIdToken: async () => refuse('key-set-unavailable'),
      log: (name) => void logged.push(name),
    });
    const anonymous = await create();

    const { status, headers } = await continuing(anonymous.token, 'ada');

    expect([status, headers['Retry-After']]).toEqual([503, '2']);
    expect(logged).toContain('keySetUnavailable');
    expect(await uuidsOf(anonymous.token)).toEqual([anonymous.uuid]);
  });
});

test.each([
  ['1 ms after', '12:00:00.501'],
  ['at the same millisecond as', '12:00:00.500'],
  ['by a clock that is 5 s behind that of', '11:59:55.500'],
])(
  'V1-10 V1-9 a user who signs in again %s a revocation is in; a token of 1 ms before it is 401',
  async (_, time) => {
    const v1 = await aShop();
    const before = await v1.tokenOf('ada');
    const { uuid } = await v1.create(before);
    v1.time.now = new Date('2026-03-01T12:00:00.499Z');
    const justBefore = await v1.tokenOf('ada');
    await v1.sessions.revoke(await v1.sessionOf(before), new Date('2026-03-01T12:00:00.500Z'));

    v1.time.now = new Date(`2026-03-01T${time}Z`);
    const later = await v1.tokenOf('ada');
    v1.time.now = new Date('2026-03-20T12:00:00.700Z');
    const renewed = await v1.list(later);

    expect([(await v1.list(before)).status, (await v1.list(justBefore)).status]).toEqual([401, 401]);
    expect(await v1.uuidsOf(later)).toEqual([uuid]);
    expect(renewed.token).not.toBe(later);
    expect(await v1.uuidsOf(renewed.token ?? '')).toEqual([uuid]);
  },
);

describe('V1-10 S-41 a user with 20 open transactions', () => {
  test('makes no more until one is completed or deleted, and never gets an anonymous session', async () => {
    const { tokenOf, create, end } = await aShop();
    const token = await tokenOf('ada');
    const made = [];
    for (let number = 0; number < 20; number += 1) made.push(await create(token));

    const full = await create(token);
    const ends = [{ status: 1 }, { isDeleted: 1 }] as const;
    for (const [index, how] of ends.entries()) await end(made[index]?.uuid ?? '', how);
    const afterwards = [await create(token), await create(token), await create(token)];

    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect([full.status, full.token]).toEqual([409, token]);
    expect(afterwards.map(({ status }) => status)).toEqual([201, 201, 409]);
  });

  test('continues no other session, which goes on', async () => {
    const { tokenOf, create, continuing, uuidsOf } = await aShop();
    const token = await tokenOf('ada');
    for (let number = 0; number < 19; number += 1) await create(token);
    const [twentieth, another] = [await create(), await create()];

    const moved = await continuing(twentieth.token, 'ada');
    const refused = await continuing(another.token, 'ada');
    const again = await continuing(twentieth.token, 'ada');

    expect([moved.status, again.status]).toEqual([200, 200]);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        type: 'https://api.example/docs/problems#session-full',
        detail: 'The user has 20 open transactions: complete or delete one.',
      },
    });
    expect(await uuidsOf(another.token)).toEqual([another.uuid]);
  });
});

describe('V1-10 the request of a sign-in', () => {
  test.each<[string, Form, number, string]>([
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['no ID token', { subject_token: '' }, 400, 'invalid_request'],
    ['another type of the ID token', { subject_token_type: accessTokenType }, 400, 'invalid_request'],
    ['an actor token without its type', { actor_token: 'x' }, 400, 'invalid_request'],
    ['the type of an actor token alone', { actor_token_type: accessTokenType }, 400, 'invalid_request'],
    ['another requested type', { requested_token_type: idTokenType }, 400, 'invalid_request'],
    ['more than 16 kB', { more: 'x'.repeat(16_384) }, 413, 'invalid_request'],
  ])('RFC 8693 a form with %s is refused by name', async (_flaw, form, expected, error) => {
    const { signIn } = await aShop();

    const { status, body } = await signIn('ada', form);

    expect([status, body.error]).toEqual([expected, error]);
  });

  test('RFC 6749 only a form is read, never the address, nor an Authorization header', async () => {
    const { ask, signIn } = await aShop();
    const form = { ...tokenExchange, subject_token: 'ada' };

    const inJson = await ask('/api/session', sending('POST', form, { Origin: shop }));
    const inAddress = await ask(`/api/session?${new URLSearchParams(form)}`, {
      method: 'POST',
      headers: { Origin: shop, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const withHeader = await signIn('ada', {}, { Authorization: 'Bearer nonsense' });

    for (const { status, body } of [inJson, inAddress])
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(withHeader.status).toBe(200);
  });

  test.each([
    [otherShop, 400, 'unauthorized_client', otherShop],
    ['https://retired.example', 400, 'unauthorized_client', undefined],
    ['https://unknown.example', 200, undefined, undefined],
  ])('OWN-1 V1-7 of %s is %i: the provider is the origin’s, or the default storefront’s', async (...row) => {
    const [origin, expected, error, readable] = row;
    const { signIn } = await aShop();

    const { status, body, headers } = await signIn('ada', {}, { Origin: origin });

    expect([status, body.error]).toEqual([expected, error]);
    expect(headers['Access-Control-Allow-Origin']).toBe(readable);
  });
});
