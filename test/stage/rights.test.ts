import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { templatesOf } from '../support/engine/templates.ts';
import { startRecordingEngine } from '../support/rights/recording-engine.ts';
import { isAllowed, rightsOf } from '../support/rights/rights.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { everyScope, operatorOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage, until } from '../support/stage/stage.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';

let engine: Awaited<ReturnType<typeof startRecordingEngine>>;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let stage: TestStage;
let operate: ReturnType<typeof operatorOf>;
/** A partner of the whole group. */
let dealer: Awaited<ReturnType<typeof aPartnerProgram>>;
const shop = 'https://shop.example';

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const createPartner = (name: string, ...more: string[]) =>
  operate<Credentials>('partner', 'create', '--name', name, '--grant', ...more);

/** Short times, so that a change is sent while the test waits. */
const hasty = ['--dormancy-seconds', '2', '--tick-seconds', '1'];

/** Makes one request of every kind, and waits for what the service does by itself. */
beforeAll(async () => {
  engine = await startRecordingEngine();
  receiver = await startWebhookReceiver();
  stage = await startStage({ environment: { DYNAMODB_ENDPOINT: engine.endpoint }, args: hasty });
  operate = operatorOf(stage);
  for (const place of ['N', 'S'])
    await operate(
      ...['storefront', 'create', '--name', place, '--group', 'G', '--franchise', 'F'],
      ...['--location', place, '--branch', place, '--origin', shop],
    );
  dealer = await aPartnerProgram(stage, await createPartner('dealer', 'group=G'));
  await until(() => engine.usedBy('sweep-expired').length > 0);
  const buyer = aBrowserOn(stage, shop);
  await buyer.send('/api/transaction');
  await buyer.send('/api/transaction?filter[status]=0');
  const { body } = await buyer.send('/api/transaction', {
    method: 'POST',
    headers: keyed('create'),
    body: { vehicle: { identifiers: { ndstockid: 'A', salesmasterid: 'B' } } },
  });
  await buyer.send('/api/transaction?filter[status]=0&per-page=1');
  const own = `/api/transaction/${body.uuid}`;
  const path = `/api/v2/transaction/${body.uuid}`;
  for (const change of [
    { vehicle: { identifiers: { ndstockid: 'C' } } },
    { vehicle: { identifiers: { ndstockid: 'C' } } },
    { location: 'S' },
  ]) {
    await buyer.send(own, {
      method: 'PATCH',
      headers: keyed(JSON.stringify(change).slice(1, 9)),
      body: change,
    });
    await dealer.write('PUT', path, change, keyed(`${Object.keys(change)}`));
  }
  await dealer.write('PATCH', path, { location: 'N', vehicle: null });
  const payment = { transaction: body.uuid, type: 1, value: '1.00', status: 1 };
  await dealer.write('POST', '/api/v2/payment', payment, keyed('pay'));
  await dealer.write('POST', '/api/v2/payment', payment, keyed('pay'));
  await dealer.get('/api/v2/transaction?expand=payments&per-page=1');
  await dealer.get('/api/v2/transaction?filter[identifiers][ndstockid]=C');
  await dealer.get('/api/v2/partner');
  await dealer.get('/api/v2/event');
  await dealer.get(`/api/v2/event?filter[transaction]=${body.uuid}`);
  await dealer.get('/api/v2/event/00000000-0000-4000-8000-000000000000');
  await dealer.get('/api/v2/transaction?per-page=1&page=2');
  await fetch(new URL('/api/transaction', stage.baseUrl));
  await dealer.write('PATCH', path, { isDeleted: 1 });
  await operate('transactions', 'restore', body.uuid);
  await askOften(path);
  await seeTwoWays();
  const revoking = await rotateAndRevoke();
  await notifyTwoPartners();
  await until(() => engine.usedBy('publish-dormant').includes('Debounce/EV#* dynamodb:PutItem'));
  stage = await stage.restart();
  // Its functions read the ring of peppers anew, so that this hashes the secret under the newest.
  await aPartnerProgram(stage, revoking);
  // The first poll may find no partner yet, and notes its turn without a record read.
  for (const right of ['PARTNER#* dynamodb:BatchGetItem', 'TURN dynamodb:PutItem'])
    await until(() => engine.usedBy('keep-endpoints').includes(`Partners/${right}`));
  await until(() => engine.usedBy('reconcile').length > 0);
}, 240_000);

/** Of 59 requests one minute of the clock has 30: then they are counted in the table. */
const askOften = async (path: string) => {
  for (let n = 0; n < 59; n += 1) {
    await dealer.get(path);
    await dealer.write('PATCH', path, {});
  }
};

/** A partner of a group that sees some of it by franchise and some by location: then the group's members are read. */
const seeTwoWays = async () => {
  const both = await createPartner('both', 'group=G,franchise=F', '--grant', 'group=G,location=N');
  await (await aPartnerProgram(stage, both)).get('/api/v2/transaction');
};

/** A client that revokes its token while the pepper rotates, uses it all the same, and once has its secret wrong. */
const rotateAndRevoke = async () => {
  const { clientId, clientSecret } = await createPartner('revoking', 'group=G');
  await openStageKeys(stage).age('pepper', 3_600_000);
  await operate('keys', 'rotate', 'pepper');
  const { token, get, write } = await aPartnerProgram(stage, { clientId, clientSecret });
  const ask = async (endpoint: string, secret = clientSecret) => {
    const body = new URLSearchParams({ token, client_id: clientId, client_secret: secret });
    return (await fetch(`${stage.authUrl}/oauth2/${endpoint}`, { method: 'POST', body })).status;
  };
  expect([await ask('revoke'), await ask('introspect'), await ask('introspect', 'wrong')]).toEqual([
    200, 200, 401,
  ]);
  expect((await get('/api/v2/transaction')).status).toBe(401);
  expect((await get('/api/v2/partner')).status).toBe(401);
  expect((await write('POST', '/api/v2/payment', {})).status).toBe(401);
  return { clientId, clientSecret };
};

/** A partner makes its next signature, and a second secret. */
const changeOwn = async (
  { write }: Awaited<ReturnType<typeof aPartnerProgram>>,
  { clientId, clientSecret }: Credentials,
) => {
  const made = await write('POST', '/api/v2/webhook/signature', {}, keyed('next'));
  const secret = await fetch(`${stage.authUrl}/oauth2/secret`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'Idempotency-Key': 'secret',
    },
    body: new URLSearchParams({ overlap_hours: '1' }),
  });
  expect([made.status, secret.status]).toEqual([201, 201]);
};

/** One partner takes a completion and an update, and another one refuses them. */
const notifyTwoPartners = async () => {
  const notified = (name: string) =>
    createPartner(name, 'group=G', '--webhook-url', `${receiver.url}/${name}`, '--oauth-scopes', everyScope);
  const credentials = await notified('acme');
  const acme = await aPartnerProgram(stage, credentials, everyScope);
  await notified('unwilling');
  receiver.answers('unwilling', () => 404);
  const created = await aBrowserOn(stage, shop).send('/api/transaction', {
    method: 'POST',
    body: { vehicle: { make: 'Ford' } },
  });
  const payment = { transaction: created.body.uuid, type: 1, value: '1.00', status: 1 };
  await acme.write('POST', '/api/v2/payment', payment);
  await acme.write('POST', '/api/v2/webhook/test', {}, keyed('test'));
  await until(() => receiver.takenBy('acme').length >= 2);
  const [first] = (await acme.get('/api/v2/event?per-page=1')).list().data;
  await acme.write('POST', `/api/v2/event/${first?.id}/replay`, {});
  await changeOwn(acme, credentials);
  await until(() => engine.usedBy('collect-dead-letters').includes('Debounce/EV#* dynamodb:UpdateItem'));
  await pauseWhileTried(acme);
};

/** What the bus still tries comes back without its target, and its partner decides what becomes of it. */
const pauseWhileTried = async ({ write }: Awaited<ReturnType<typeof aPartnerProgram>>) => {
  receiver.answers('unwilling', () => 500);
  const { body } = await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body: {} });
  await write('POST', '/api/v2/payment', { transaction: body.uuid, type: 1, value: '1.00', status: 1 });
  await until(() =>
    receiver.received.some(({ partner, status }) => partner === 'unwilling' && status === 500),
  );
  await operate('partner', 'pause', 'unwilling');
  await until(() => engine.usedBy('collect-dead-letters').includes('Partners/STAGE dynamodb:BatchGetItem'));
};

afterAll(async () => {
  await stage.stop();
  await receiver.stop();
  await engine.stop();
}, 30_000);

const { service } = templatesOf('production');
const granted = (name: string) => rightsOf(service, name).filter((right) => right.includes('dynamodb:'));

test.each([
  'issue-token',
  'sweep-expired',
  'v1-transaction',
  'v2-partner',
  'v2-read',
  'v2-write',
  'capture-change',
  'publish-dormant',
  'collect-dead-letters',
  'reconcile',
  'keep-endpoints',
])('S-50 S-66 S-80 %s does nothing at the tables that its role does not allow', (name) => {
  const asked = engine.askedBy(name);

  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((one) => !isAllowed(service, name, one))).toEqual([]);
});

const isWrite = (right: string) => /dynamodb:(Put|Update|Delete|ConditionCheck)/.test(right);
/**
 * This recording removes entries of a few kinds only, and no status entry of it is late: so of these tables, actions are
 * compared.
 */
const writesIn = (rights: readonly string[]) => {
  const writes = rights.filter(isWrite).map((right) => right.replace(/^(Listing|Debounce)\/\S+/, '$1'));
  return [...new Set(writes)].sort();
};

test.each(['v1-transaction', 'v2-partner', 'v2-read', 'v2-write', 'capture-change', 'publish-dormant'])(
  'S-50 S-66 %s may write nothing that it does not write',
  (name) => {
    expect(writesIn(granted(name))).toEqual(writesIn(engine.usedBy(name)));
  },
);

const isOfPartition = (right: string) => /^(Partners|Requests)/.test(right);

test.each([
  'issue-token',
  'v1-transaction',
  'v2-partner',
  'v2-read',
  'v2-write',
  'publish-dormant',
  'collect-dead-letters',
  'keep-endpoints',
  'rotate-keys',
])(
  'S-66 %s uses the partitions of partners and requests that its role names, neither more nor less',
  (name) => {
    // A right to one attribute is listed beside that to another.
    const rights = new Set(granted(name).filter(isOfPartition));
    expect(engine.usedBy(name).filter(isOfPartition)).toEqual([...rights]);
  },
);
