import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoAudience } from '../../localstack/embedded/demo/identity-provider.ts';
import { decoded } from '../support/apis/token-service.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { startIdentityProvider } from '../support/receivers/identity-provider.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { instanceOf } from '../support/stage/instance-of.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials, send } from '../support/stage/partner-client.ts';

const shop = 'https://transactions.example';
let stage: ServiceStage;
let operate: ReturnType<typeof operatorOf>;
let credentials: Credentials;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

/** A shop of group G at a location. */
const open = (location: string, ...more: string[]) =>
  operate(
    ...['storefront', 'create', '--name', location, '--origin', shop, '--group', 'G', '--franchise', 'F'],
    ...['--location', location, '--branch', location, ...more],
  );

beforeAll(async () => {
  stage = await openStage();
  operate = operatorOf(stage);
  provider = await startIdentityProvider();
  await open('north', '--issuer', provider.issuer, '--audience', demoAudience);
  await open('south');
  credentials = await operate('partner', 'create', '--name', 'group', '--grant', 'group=G');
});
afterAll(() => stage.close());
endEngineAfterFile();

const documents = () => documentsOf(clientOf(stage.endpoints.dynamodb));
const aPartner = (by = credentials) => aPartnerProgram(stage, by);
/** A page of the shop, whose session has as many transactions, and the last of them. */
const aBuyer = async (transactions = 1) => {
  const browser = aBrowserOn(stage, shop);
  let uuid = '';
  for (let n = 0; n < transactions; n += 1) {
    const { body } = await browser.send('/api/transaction', { method: 'POST', body: { extras: { n } } });
    uuid = body.uuid;
  }
  return {
    ...browser,
    anonymous: browser.state.token,
    uuid,
    path: `/api/transaction/${uuid}`,
    asPartner: `/api/v2/transaction/${uuid}`,
  };
};
const keyed = { 'Idempotency-Key': 'once' };
const payment = (transaction: string, status = 0) => ({ transaction, type: 1, value: '1.00', status });

test('OWN-2 GRANT-1 a partner of a location sees what moves there, by the storefronts of its group, retired ones too', async () => {
  const program = await aPartner(
    await operate('partner', 'create', '--name', 'south', '--grant', 'group=G,location=south'),
  );
  const { uuid, asPartner } = await aBuyer();
  const before = await program.uuids('');

  const { status } = await (await aPartner()).write('PATCH', asPartner, { location: 'south' });
  await operate('storefront', 'delete', 'south', '--yes');

  expect([status, before]).toEqual([200, []]);
  expect(await program.uuids('')).toEqual([uuid]);
});

test('WR-2 two concurrent changes are both made', async () => {
  const { path, asPartner, send } = await aBuyer();
  const program = await aPartner();
  const changes = [{ guestEmail: 'a@b.example' }, { document_id: '7' }];

  const answers = [
    ...(await Promise.all(changes.map((body) => send(path, { method: 'PATCH', body })))),
    ...(await Promise.all(changes.map((body) => program.write('PATCH', asPartner, { customer: body })))),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('WR-1 V1-6 V2-2 a creation and a change are done once for their key, for a day', async () => {
  const { asPartner, path, send } = await aBuyer();
  const send3 = async () => {
    const program = await aPartner();
    const answers = [
      await send('/api/transaction', { method: 'POST', headers: keyed, body: { extras: { a: 1 } } }),
      await send(path, { method: 'PATCH', headers: keyed, body: { extras: { a: 2 } } }),
      await program.write('PATCH', asPartner, { extras: { a: 3 } }, keyed),
    ];
    return answers.map(({ status, headers }) => [status, headers.get('Idempotency-Replayed')]);
  };
  const [first, again] = [await send3(), await send3()];
  await stage.passTime(24 * 3_600_000 + 1_000);

  expect(first).toEqual([
    [201, null],
    [200, null],
    [200, null],
  ]);
  expect(again).toEqual([
    [201, 'true'],
    [200, 'true'],
    [200, 'true'],
  ]);
  expect(await send3()).toEqual(first);
});

test('ID-2 payments have numbers of one sequence over all processes, and their own hashes', async () => {
  const { uuid, asPartner } = await aBuyer();
  const program = await aPartner();
  const other = await instanceOf(stage, 'v2-write');
  await program.write('POST', '/api/v2/payment', payment(uuid));
  await other('/api/v2/payment', {
    ...{ method: 'POST', body: JSON.stringify(payment(uuid)) },
    headers: { Authorization: `Bearer ${program.token}`, 'Content-Type': 'application/json' },
  });
  await program.write('POST', '/api/v2/payment', payment(uuid));

  const { payments } = (await program.get(`${asPartner}?expand=payments`)).json();
  const made = payments as { id: number; hash: string }[];
  const [{ id = 0 } = {}] = made;
  // The number after the first is the transaction's.
  expect(made.map((one) => one.id)).toEqual([id, id + 2, id + 3]);
  expect(new Set(made.map(({ hash }) => hash)).size).toBe(3);
});

test('I18 a completion is made even if the queue refuses its message, and the log says so', async () => {
  const { uuid } = await aBuyer();
  const program = await aPartner();
  stage.fault(({ caller, target }) =>
    caller === 'v2-write' && target.startsWith('AmazonSQS.') ? 'AccessDenied' : undefined,
  );

  const { status } = await program.write('POST', '/api/v2/payment', payment(uuid, 1));
  stage.fault();

  expect(status).toBe(201);
  expect(stage.logged('COMPLETION_LEFT')).toMatchObject([{ service: 'v2-write', level: 'ERROR' }]);
});

/** How each API lists the transactions of a session, and of the partner of its group. */
const lists = [
  { name: 'v1-transaction', path: '/api/transaction?filter[status]=0' },
  { name: 'v2-read', path: '/api/v2/transaction?filter[status]=0' },
] as const;
const tokenFor = async ({ name }: (typeof lists)[number], session: string) =>
  name === 'v1-transaction' ? session : (await aPartner()).token;

type List = { data: { uuid: string }[]; _links: { next: { href: string } } };

test.each(lists)('LINK-5 another process of $name opens a cursor, by the key in the table', async (list) => {
  const { state } = await aBuyer(3);
  const headers = { Authorization: `Bearer ${await tokenFor(list, state.token)}` };
  const page = async (size: number) =>
    (await (await stage.ask('GET', `${list.path}&per-page=${size}`, { headers })).json()) as List;
  const [first, second] = (await page(2)).data;
  const { pathname, search } = new URL((await page(1))._links.next.href);
  // By the number of the page, the next one would now be the third.
  await (await aPartner()).write('PATCH', `/api/v2/transaction/${first?.uuid}`, { isDeleted: 1 });

  const next = await (await instanceOf(stage, list.name))(`/api${pathname}${search}`, { headers });

  expect([next.status, next.body.data[0].uuid]).toEqual([200, second?.uuid]);
});

test('V1-9 a session that the operator revoked is refused at once, and no other one', async () => {
  const [revoked, other] = [await aBuyer(), await aBuyer()];
  await operate('session', 'revoke', revoked.uuid, '--yes');

  const answers = [await revoked.send('/api/transaction'), await other.send('/api/transaction')];

  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
});

test.each(lists)(
  'PAGE-4 a list of $name that does not match its total is answered, and the log says so',
  async (list) => {
    const { uuid, state } = await aBuyer(2);
    await documents().send(
      new DeleteCommand({ TableName: stage.variables.TRANSACTIONS_TABLE, Key: { uuid } }),
    );
    const headers = { Authorization: `Bearer ${await tokenFor(list, state.token)}` };

    const { status } = await stage.ask('GET', `${list.path}&per-page=50`, { headers });

    expect(status).toBe(200);
    expect(stage.logged('LISTING_DRIFTS')).toContainEqual(
      expect.objectContaining({ service: list.name, level: 'ERROR' }),
    );
  },
);

const headers = { Origin: shop };
/** The form that exchanges an ID token, and may continue an anonymous session. */
const formOf = (idToken: string, anonymous: string) =>
  new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    actor_token: anonymous,
    actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  });
type Buyer = Awaited<ReturnType<typeof aBuyer>>;
const exchange = async ({ state, anonymous }: Buyer, idToken: string) => {
  const body = formOf(idToken, anonymous);
  const { status, json } = await send(stage, '/api/session', { method: 'POST', headers, body });
  state.token = String(json().access_token);
  return status;
};
const signIn = async (buyer: Buyer, username: string) => exchange(buyer, await provider.idTokenOf(username));
/** Likewise at another process of the function. */
const signInElsewhere = async ({ anonymous }: Buyer, idToken: string) => {
  const ask = await instanceOf(stage, 'v1-transaction');
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = formOf(idToken, anonymous).toString();
  return ask('/api/session', { method: 'POST', headers: { ...headers, ...type }, body });
};

test('V1-10 a user who signs in on two devices has the checkouts of both on each, and another user none', async () => {
  const [phone, laptop, other] = [await aBuyer(), await aBuyer(), await aBuyer()];

  const statuses = [await signIn(phone, 'ada'), await signIn(laptop, 'ada'), await signIn(other, 'ben')];
  const listed = [];
  for (const { send: ask } of [phone, laptop, other]) {
    const { body } = await ask('/api/transaction?filter[status]=0&fields=uuid');
    listed.push(body.data.map(({ uuid }: { uuid: string }) => uuid));
  }
  laptop.state.token = laptop.anonymous;
  const afterwards = await laptop.send('/api/transaction');

  expect(statuses).toEqual([200, 200, 200]);
  expect(listed).toEqual([[phone.uuid, laptop.uuid], [phone.uuid, laptop.uuid], [other.uuid]]);
  expect(afterwards.status).toBe(401);
});

test('V1-10 an ID token is good for ten minutes, at every process, and nothing of it is stored or logged', async () => {
  const [first, other, late] = [await aBuyer(), await aBuyer(), await aBuyer()];
  const idToken = await provider.idTokenOf('ben');
  const status = await exchange(first, idToken);
  await stage.passTime(500_000);
  const elsewhere = await signInElsewhere(other, idToken);
  await stage.passTime(101_000);

  expect([status, elsewhere.status, await exchange(late, idToken)]).toEqual([200, 200, 400]);
  const { header, claims } = decoded(elsewhere.body.access_token);
  expect([header.typ, header.alg]).toEqual(['session+jwt', 'ES256']);
  const { TRANSACTIONS_TABLE, LISTING_TABLE, REQUESTS_TABLE, PARTNERS_TABLE } = stage.variables;
  const kept = await Promise.all(
    [TRANSACTIONS_TABLE, LISTING_TABLE, REQUESTS_TABLE, PARTNERS_TABLE].map(
      async (TableName) => (await documents().send(new ScanCommand({ TableName }))).Items ?? [],
    ),
  );
  // Nothing but the session differs, so the stream of changes sees none.
  const moved = kept[0]?.find(({ uuid }) => uuid === other.uuid);
  expect(moved).toMatchObject({ version: 1, session: claims.sub });
  for (const text of ['"ben"', first.anonymous, ...idToken.split('.').slice(1)])
    expect(JSON.stringify(kept) + stage.written()).not.toContain(text);
});

test('V1-10 a provider that gives no key set is 503 and a line of the log, and nothing has ended or moved', async () => {
  const buyer = await aBuyer();
  const idToken = await provider.idTokenOf('ada');
  await provider.stop();

  const { status } = await signInElsewhere(buyer, idToken);

  expect(status).toBe(503);
  expect(stage.logged('KEY_SET_UNAVAILABLE')).toMatchObject([{ service: 'v1-transaction' }]);
  expect((await buyer.send(buyer.path)).status).toBe(200);
});
