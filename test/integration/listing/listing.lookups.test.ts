import { beforeAll, expect, test } from '@jest/globals';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import type { ListScope } from '../../../functions/shared/domain/query/list-request.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { aV2Read } from '../../support/apis/v2-read.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { documentsOf } from '../../support/engine/engine.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const hiddenUuid = uuidOf(90);

const engine = useEngine();
let reader: TransactionReader;
let itemsRead = 0;
let requests: string[] = [];

/** The same vehicle once in group A (a session's), and forty times in group B, which has one more to itself. */
beforeAll(async () => {
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  const vehicle = { identifiers: { ndstockid: 'ND1', salesmasterid: 'SM1' } };
  const writer = createImportWriter({ documents: engine.documents, ...tables });
  await writer.create(aNewTransaction({ uuid: uuidOf(1), vehicle }, { session: 'session-a' }));
  const hidden = { vehicle: { identifiers: { ndstockid: 'ND2', salesmasterid: 'SM2' } } };
  await writer.create(
    aNewTransaction({ uuid: hiddenUuid, ...hidden, ndMeta: anOwner({ group: 'group-b' }) }),
  );
  await writer.createMany(
    Array.from({ length: 40 }, (_, index) =>
      aNewTransaction({ uuid: uuidOf(index + 2), vehicle, ndMeta: anOwner({ group: 'group-b' }) }),
    ),
  );
  reader = readerWithoutDrift({ documents: counted(), ...tables, membersOf: async () => [] });
});

const counted = () => {
  const documents = documentsOf(engine.client);
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        requests.push(commandName);
        const answer = await next(args);
        itemsRead += (answer.output as { Items?: unknown[] }).Items?.length ?? 0;
        return answer;
      },
    { step: 'initialize' },
  );
  return documents;
};

test.each<[string, ListScope]>([
  ['a partner of another group', { kind: 'grants', grants: [{ group: 'group-a' }] }],
  ['a session', { kind: 'session', session: 'session-a' }],
])(
  'S-36 a vehicle filter of %s reads no entry of the group that sells the vehicle often',
  async (_, scope) => {
    itemsRead = 0;

    const page = await reader.listWithin({ scope, filter: { ndstockid: 'ND1' }, page: 1, perPage: 10 });

    expect(page.transactions.map(({ transaction }) => transaction.uuid)).toEqual([uuidOf(1)]);
    expect(page.totalCount).toBe(1);
    expect(itemsRead).toBe(1);
  },
);

test('LIST-2 a vehicle filter over several groups lists by creation, not group by group', async () => {
  const grants = [{ group: 'group-b' }, { group: 'group-a' }];

  const page = await reader.listWithin({
    ...{ scope: { kind: 'grants', grants }, filter: { ndstockid: 'ND1' }, page: 1, perPage: 3 },
  });

  expect(page.transactions.map(({ transaction }) => transaction.uuid)).toEqual([1, 2, 3].map(uuidOf));
  expect(page.totalCount).toBe(41);
});

test.each([
  ['filter[uuid]', `?filter[uuid]=${hiddenUuid}`, `?filter[uuid]=${uuidOf(91)}`],
  ['the address of one', `/${hiddenUuid}`, `/${uuidOf(91)}`],
  [
    'filter[identifiers][ndstockid]',
    '?filter[identifiers][ndstockid]=ND2',
    '?filter[identifiers][ndstockid]=ND3',
  ],
  [
    'filter[identifiers][salesmasterid]',
    '?filter[identifiers][salesmasterid]=SM2',
    '?filter[identifiers][salesmasterid]=SM3',
  ],
])('S-36 with %s a hidden record takes the same requests as an unknown one', async (_, hidden, absent) => {
  const { get } = await aV2Read({ reader, partners: [aPartner({ grants: [{ group: 'group-a' }] })] });
  const requestsFor = async (target: string) => {
    requests = [];
    const { status } = await get(`/api/v2/transaction${target}`);
    return { status, requests };
  };

  const ofHidden = await requestsFor(hidden);
  const ofAbsent = await requestsFor(absent);

  expect(ofHidden).toEqual(ofAbsent);
  expect(ofHidden.requests).not.toEqual([]);
});
