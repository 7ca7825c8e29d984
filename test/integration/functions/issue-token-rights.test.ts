import { describe, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { createCredentialsReader } from '../../../functions/shared/store/partners/credentials.ts';
import { createPartnerNotes } from '../../../functions/shared/store/partners/notes.ts';
import { aPartner, aSecret } from '../../support/builders/a-partner.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { askedOf } from '../../support/rights/asked.ts';
import { startRecorder } from '../../support/rights/recorder.ts';
import { isAllowed } from '../../support/rights/rights.ts';

const engine = useEngine();
const { service } = templatesOf('production');
const partner = aPartner();
const { clientId } = partner;

/** What issue-token does at the Partners table, as text for each request that its role refuses. */
const refusedOf = async (work: (endpoint: string) => Promise<unknown>) => {
  const refused: string[] = [];
  const asked: string[] = [];
  const recorder = await startRecorder(engine.endpoint, (target, body) => {
    for (const one of askedOf(target, body)) {
      asked.push(one.action);
      if (!isAllowed(service, 'issue-token', one)) refused.push(JSON.stringify(one));
    }
    return [];
  });
  await work(recorder.endpoint);
  recorder.stop();
  return { asked, refused };
};

test('S-80 the reads and writes of issue-token are what its role allows', async () => {
  const accessAt = (endpoint: string) => ({
    documents: documentsOf(clientOf(endpoint)),
    partnersTable: 'Partners',
  });
  const store = createPartnerStore(accessAt(engine.endpoint));
  await store.create({ partner, secrets: [aSecret()] }, 'signature');

  const { asked, refused } = await refusedOf(async (endpoint) => {
    await createCredentialsReader(accessAt(endpoint)).credentialsOf(clientId);
    const notes = createPartnerNotes(accessAt(endpoint));
    await notes.noteUse(clientId, 's1', '2026-11-22');
    await notes.rehash(clientId, aSecret(), { hash: 'new hash', pepperId: '1' });
    await notes.noteRevocation(clientId, 5);
  });

  expect(asked).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
  expect(refused).toEqual([]);
  expect(await store.credentialsOf(clientId)).toEqual({
    partner,
    secrets: [aSecret({ hash: 'new hash', pepperId: '1' })],
    revokedAtMs: 5,
    uses: { s1: '2026-11-22' },
  });
});

const profile = { pk: { S: `PARTNER#${clientId}` }, sk: { S: 'PROFILE' } };
const hashes = { pk: { S: `HASHES#${clientId}` }, sk: { S: 'HASHES' } };
const audit = { pk: { S: 'AUDIT#2026-11' }, sk: { S: '2026-11-22' } };
const revocation = { Key: profile, UpdateExpression: 'SET revokedAtMs = :at' };
const names = { ExpressionAttributeNames: { '#partner': 'partner' } };

/** Whether issue-token may send this to the Partners table. */
const may = (action: string, request: object) =>
  askedOf(
    `DynamoDB_20120810.${action}`,
    JSON.stringify({ TableName: 'transactions-production-data-Partners', ...request }),
  ).every((asked) => isAllowed(service, 'issue-token', asked));

describe('S-80 issue-token is refused', () => {
  test.each<[string, string, object]>([
    ['set grants', 'UpdateItem', { Key: profile, UpdateExpression: 'SET #partner.grants = :all', ...names }],
    [
      'set grants beside the facts of secrets',
      'UpdateItem',
      { Key: profile, UpdateExpression: 'SET secrets = :mine, #partner.grants = :all', ...names },
    ],
    ['bring ended tokens back', 'UpdateItem', { Key: profile, UpdateExpression: 'REMOVE tokensFromMs' }],
    [
      'set grants beside a revocation',
      'UpdateItem',
      { ...revocation, UpdateExpression: 'SET revokedAtMs = :at, #partner.grants = :all', ...names },
    ],
    [
      'ask in a condition what a record says',
      'UpdateItem',
      { ...revocation, ConditionExpression: '#partner.enabled = :yes', ...names },
    ],
    ['touch a record and name no attribute', 'UpdateItem', { Key: profile }],
    ['have the record returned', 'UpdateItem', { ...revocation, ReturnValues: 'ALL_OLD' }],
    ['replace the record', 'PutItem', { Item: { ...profile, partner: { S: 'mine' } } }],
    ['remove a partner', 'DeleteItem', { Key: profile }],
    ['replace hashes', 'PutItem', { Item: { ...hashes, hashes: { S: 'mine' } } }],
    ['write beside hashes', 'UpdateItem', { Key: hashes, UpdateExpression: 'SET secrets = :mine' }],
    [
      'set grants in a transaction',
      'TransactWriteItems',
      {
        TransactItems: [
          {
            Update: {
              TableName: 'transactions-production-data-Partners',
              Key: profile,
              UpdateExpression: 'SET #partner = :mine',
              ...names,
            },
          },
        ],
      },
    ],
    [
      'set a signature',
      'UpdateItem',
      { Key: { pk: { S: `WEBHOOK#${clientId}` } }, UpdateExpression: 'SET signature = :mine' },
    ],
    ['change an audit record', 'UpdateItem', { Key: audit, UpdateExpression: 'SET who = :other' }],
    ['read an audit record', 'GetItem', { Key: audit }],
    ['remove an audit record', 'DeleteItem', { Key: audit }],
  ])('%s', (_what, action, request) => {
    expect(may(action, request)).toBe(false);
  });

  test('and may do the allowed request beside each of these', () => {
    expect(may('UpdateItem', revocation)).toBe(true);
    expect(may('UpdateItem', { ...revocation, ReturnValues: 'NONE' })).toBe(true);
    expect(may('UpdateItem', { Key: hashes, UpdateExpression: 'SET hashes.#id = :hash' })).toBe(true);
    expect(may('UpdateItem', { Key: profile, UpdateExpression: 'SET secrets = :after' })).toBe(true);
    expect(may('PutItem', { Item: audit })).toBe(true);
  });
});
