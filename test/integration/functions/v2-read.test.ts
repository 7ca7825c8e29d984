import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { getTransaction } from '../../../functions/shared/store/transactions/get.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { provePartnerApi } from '../../support/functions/partner-api.ts';
import { askingOf, heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
let get: (target: string) => ReturnType<ReturnType<typeof askingOf>>;

const store = () => {
  const { documents } = functions;
  const tables = { documents, transactionsTable: 'Transactions', listingTable: 'Listing' };
  return { ...createTransactionWriter(tables), byUuid: (uuid: string) => getTransaction(tables, uuid) };
};

const start = async () => {
  const asking = askingOf(await functions.start('v2-read'));
  return async (target: string) =>
    asking(target, { headers: { Authorization: `Bearer ${await functions.place.signToken()}` } });
};

beforeAll(async () => {
  for (const number of [1, 2, 3]) await store().create(aNewTransaction({ uuid: uuidOf(number) }));
  get = await start();
});

const uuidsIn = ({ body }: Awaited<ReturnType<typeof get>>) =>
  body.data.map(({ uuid }: { uuid: string }) => uuid);

test('V2-1 a transaction and a list are read from their tables, with links of the stage', async () => {
  const one = await get(`/api/v2/transaction/${uuidOf(1)}`);
  const list = await get('/api/v2/transaction?per-page=2');

  expect([one.status, one.body.uuid]).toEqual([200, uuidOf(1)]);
  expect(uuidsIn(list)).toEqual([uuidOf(1), uuidOf(2)]);
  expect(list.body._links.self.href).toBe('https://api.example/v2/transaction?per-page=2&page=1');
});

test('LINK-5 another process opens a cursor with the partner’s key in the table', async () => {
  const key = { pk: `SEAL#${functions.place.clientId}`, sk: '0' };
  const read = async () =>
    (await functions.documents.send(new GetCommand({ TableName: 'Requests', Key: key }))).Item;
  const linkOf = async (ask: typeof get) =>
    (await ask('/api/v2/transaction?per-page=1')).body._links.next.href.replace(
      'https://api.example',
      '/api',
    );
  const link = await linkOf(get);
  const { byUuid, replace } = store();
  const first = await byUuid(uuidOf(1));
  if (!first) throw new Error('There is no first transaction');
  await replace(first, { ...first, version: 2, transaction: { ...first.transaction, isDeleted: 1 } });

  const behind = await (await start())(link);

  // By the number of the page it would be the third.
  expect(uuidsIn(behind)).toEqual([uuidOf(2)]);
  const former = await read();
  expect(former?.expiresAt).toBeGreaterThan(heldAtMs / 1000);
  expect(former?.expiresAt).toBeLessThan(heldAtMs / 1000 + 365 * 86_400);
  await functions.documents.send(new DeleteCommand({ TableName: 'Requests', Key: key }));
  await linkOf(await start());
  expect((await read())?.key).not.toEqual(former?.key);
});

test('GRANT-1 a location without a franchise is looked up among the storefronts of its group, retired ones too', async () => {
  const { documents, place } = functions;
  const partners = createPartnerStore({ documents, partnersTable: 'Partners' });
  const before = await partners.byClientId(place.clientId);
  if (!before) throw new Error('There is no partner');
  const storefronts = createStorefrontStore({ documents, partnersTable: 'Partners' });
  await storefronts.register({
    ...{ name: 'shop', owner: anOwner(), origins: [], retired: false, createdAtMs: 1 },
  });
  await storefronts.retire('shop');
  await partners.update({
    before,
    after: { ...before, grants: [{ group: 'group-a', location: 'location-a' }] },
  });

  expect(uuidsIn(await get('/api/v2/transaction'))).toEqual([uuidOf(2), uuidOf(3)]);
});

test('PAGE-4 a list that does not match its total is answered, and the metric is reported', async () => {
  await functions.documents.send(new DeleteCommand({ TableName: 'Transactions', Key: { uuid: uuidOf(2) } }));

  const { status } = await get('/api/v2/transaction');

  expect(status).toBe(200);
  expect(functions.logged('LISTING_DRIFTS')).toMatchObject([{ service: 'v2-read', level: 'ERROR' }]);
});

provePartnerApi(functions, {
  ...{ name: 'v2-read', target: `/api/v2/transaction/${uuidOf(3)}`, ask: {}, status: 200 },
});
