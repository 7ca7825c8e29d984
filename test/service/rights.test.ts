import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDebounceTable } from '../../functions/shared/events/table.ts';
import { type FunctionName, functionNames } from '../../localstack/embedded/wiring.ts';
import { uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { templatesOf } from '../support/engine/templates.ts';
import { isAllowed, rightsOf } from '../support/rights/rights.ts';
import { rightsAsked } from '../support/rights/table-rights.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let stage: ServiceStage;
let operate: ReturnType<typeof operatorOf>;
const shop = 'https://shop.example';
const minute = 60_000;

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const createPartner = (name: string, ...more: string[]) =>
  operate<Credentials>('partner', 'create', '--name', name, '--grant', ...more);

/** Makes one request of every kind, and lets the service do what it does by itself. */
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  stage = await openStage();
  operate = operatorOf(stage);
  for (const place of ['N', 'S'])
    await operate(
      ...['storefront', 'create', '--name', place, '--group', 'G', '--franchise', 'F'],
      ...['--location', place, '--branch', place, '--origin', shop],
    );
  await rotateAndRevoke();
  /** A partner of the whole group. */
  const dealer = await aPartnerProgram(stage, await createPartner('dealer', 'group=G'));
  const path = await changeByAll(dealer);
  await readAll(dealer, path);
  await dealer.write('PATCH', path, { isDeleted: 1 });
  await operate('transactions', 'restore', path.split('/').at(-1) ?? '');
  await askOften(dealer, path);
  await seeTwoWays();
  await notifyTwoPartners();
  await missChange();
}, 600_000);
afterAll(async () => {
  await stage.close();
  await receiver.stop();
});
endEngineAfterFile();

type Program = Awaited<ReturnType<typeof aPartnerProgram>>;

/** A checkout, and changes of it by its buyer and a partner, each of them twice. */
const changeByAll = async (dealer: Program): Promise<string> => {
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
    const key = keyed(`${Object.keys(change)}`);
    await buyer.send(own, { method: 'PATCH', headers: key, body: change });
    await dealer.write('PUT', path, change, key);
  }
  await dealer.write('PATCH', path, { location: 'N', vehicle: null });
  const payment = { transaction: body.uuid, type: 1, value: '1.00', status: 1 };
  await dealer.write('POST', '/api/v2/payment', payment, keyed('pay'));
  await dealer.write('POST', '/api/v2/payment', payment, keyed('pay'));
  return path;
};

const readAll = async ({ get }: Program, path: string) => {
  const uuid = path.split('/').at(-1);
  await get('/api/v2/transaction?expand=payments&per-page=1');
  await get('/api/v2/transaction?per-page=1&page=2');
  await get('/api/v2/transaction?filter[identifiers][ndstockid]=C');
  await get('/api/v2/partner');
  await get('/api/v2/event');
  await get(`/api/v2/event?filter[transaction]=${uuid}`);
  await get('/api/v2/event?filter[state]=waiting');
  await aBrowserOn(stage, 'https://nobody.example').send('/api/transaction');
};

/** Of 59 requests one minute of the clock has 30: then they are counted in the table. */
const askOften = async ({ get, write }: Program, path: string) => {
  for (let n = 0; n < 59; n += 1) {
    await get(path);
    await write('PATCH', path, {});
  }
};

/** A partner of a group that sees some of it by franchise and some by location: then the group's members are read. */
const seeTwoWays = async () => {
  const both = await createPartner('both', 'group=G,franchise=F', '--grant', 'group=G,location=N');
  await (await aPartnerProgram(stage, both)).get('/api/v2/transaction');
};

/** A client that revokes its token while the pepper rotates, uses it all the same, and once has its secret wrong. */
const rotateAndRevoke = async () => {
  const credentials = await createPartner('revoking', 'group=G');
  const { clientId, clientSecret } = credentials;
  // A pepper is rotated once in ten minutes.
  await stage.passTime(11 * minute);
  await operate('keys', 'rotate', 'pepper');
  const { token, get, write } = await aPartnerProgram(stage, credentials);
  const ask = async (endpoint: string, secret = clientSecret) => {
    const body = new URLSearchParams({ token, client_id: clientId, client_secret: secret });
    return (await stage.ask('POST', `/oauth2/${endpoint}`, { body })).status;
  };
  expect([await ask('revoke'), await ask('introspect'), await ask('introspect', 'wrong')]).toEqual([
    200, 200, 401,
  ]);
  expect((await get('/api/v2/transaction')).status).toBe(401);
  expect((await get('/api/v2/partner')).status).toBe(401);
  expect((await write('POST', '/api/v2/payment', {})).status).toBe(401);
  // The token service reads the ring of peppers again, and hashes the secret under the newest.
  await stage.passTime(11 * minute);
  await aPartnerProgram(stage, credentials);
};

/** A partner makes its next signature, and a second secret. */
const changeOwn = async ({ write }: Program, { clientId, clientSecret }: Credentials) => {
  const made = await write('POST', '/api/v2/webhook/signature', {}, keyed('next'));
  const secret = await stage.ask('POST', '/oauth2/secret', {
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
  const unwilling = await aPartnerProgram(stage, await notified('unwilling'), everyScope);
  receiver.answers('unwilling', () => 404);
  const { body } = await aBrowserOn(stage, shop).send('/api/transaction', {
    method: 'POST',
    body: { vehicle: { make: 'Ford' } },
  });
  await acme.write('POST', '/api/v2/payment', { transaction: body.uuid, type: 1, value: '1.00', status: 1 });
  await acme.write('POST', '/api/v2/webhook/test', {}, keyed('test'));
  await stage.passTime(3 * minute);
  // A completion and two updates.
  expect(receiver.takenBy('acme').length).toBe(3);
  await acme.write('POST', '/api/v2/event/replay', { state: 'failed' });
  const [first] = (await acme.get('/api/v2/event?per-page=1')).list().data;
  await acme.write('POST', '/api/v2/event/replay', { since: first?.at });
  await changeOwn(acme, credentials);
  await pauseWhileTried(unwilling);
  await unwilling.write('PUT', '/api/v2/webhook', { url: `${receiver.url}/elsewhere` });
  await forgetDebt(credentials);
};

/** What waits for a pass that never came, until the daily run of the reconciler finds it. */
const forgetDebt = async ({ clientId }: Credentials) => {
  const client = clientOf(stage.endpoints.dynamodb);
  const { DEBOUNCE_TABLE: debounceTable } = stage.variables;
  const row = { kind: 'BACKLOG', uuid: uuidOf(1), clientId, from: 1, owed: 1, tries: 1 } as const;
  const table = createDebounceTable({ documents: documentsOf(client), debounceTable });
  await table.save({ ...row, reason: 'PAUSED', revision: 0 });
  client.destroy();
  expect(await stage.invoke('reconcile', { isDaily: true })).toMatchObject({ ok: true });
  await stage.passPolls();
};

/** A paused partner has no target: what the bus still tries comes back, and the partner's record decides what becomes of it. */
const pauseWhileTried = async ({ write }: Program) => {
  receiver.answers('unwilling', () => 500);
  const { body } = await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body: {} });
  await write('POST', '/api/v2/payment', { transaction: body.uuid, type: 1, value: '1.00', status: 1 });
  await stage.settled();
  expect((await write('PATCH', '/api/v2/webhook', { paused: true })).status).toBe(200);
  await stage.passTime(30 * minute);
  expect((await write('PATCH', '/api/v2/webhook', { paused: false })).status).toBe(200);
  await stage.passTime(minute);
};

/** A change of which capture-change believes that it is scheduled already. */
const missChange = async () => {
  stage.fault(({ caller }) => (caller === 'capture-change' ? 'ConditionalCheckFailedException' : undefined));
  const body = { customer: { firstName: 'Ann' } };
  await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body });
  await stage.settled();
  stage.fault();
  await stage.passTime(10 * minute);
};

const { service } = templatesOf('production');
const granted = (name: string) => rightsOf(service, name).filter((right) => right.includes('dynamodb:'));
const usedBy = (name: FunctionName) => [...new Set(stage.askedBy(name).flatMap(rightsAsked))].sort();

test.each<FunctionName>([
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
  'rotate-keys',
])('S-50 S-66 S-80 %s does nothing at the tables that its role does not allow', (name) => {
  const asked = stage.askedBy(name);

  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((one) => !isAllowed(service, name, one))).toEqual([]);
});

const isWrite = (right: string) => /dynamodb:(Put|Update|Delete|BatchWrite|ConditionCheck)/.test(right);
/** These flows remove entries of a few kinds only: so of the listing, actions are compared. */
const writesIn = (rights: readonly string[]) => {
  const writes = rights.filter(isWrite).map((right) => right.replace(/^Listing\/\S+/, 'Listing'));
  return [...new Set(writes)].sort();
};

/** The own tests of these two compare all their rights: late dead letters and erasures are no flows of this file. */
const others: readonly FunctionName[] = ['collect-dead-letters', 'sweep-expired'];
const writers = functionNames.filter((name) => !others.includes(name));

test.each(writers)('S-50 S-66 %s may write nothing that it does not write', (name) => {
  expect(writesIn(granted(name))).toEqual(writesIn(usedBy(name)));
});

const isOfPartition = (right: string) => /^(Partners|Requests)/.test(right);

test.each<FunctionName>([
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
    expect(usedBy(name).filter(isOfPartition)).toEqual([...rights]);
  },
);
