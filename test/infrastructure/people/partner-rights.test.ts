import { expect, test } from '@jest/globals';
import { aPartner } from '../../support/builders/a-partner.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { askedOf } from '../../support/rights/asked.ts';
import { isAllowed } from '../../support/rights/rights.ts';

const { service } = templatesOf('production');
const { clientId } = aPartner();
const TableName = 'transactions-production-data-Partners';

/** Whether the function may send this to the Partners table. */
const may = (name: string, action: string, request: object) =>
  askedOf(`DynamoDB_20120810.${action}`, JSON.stringify({ TableName, ...request })).every((asked) =>
    isAllowed(service, name, asked),
  );

const keyOf = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
const profile = keyOf(`PARTNER#${clientId}`, 'PROFILE');
const hashes = keyOf(`HASHES#${clientId}`, 'HASHES');
const signature = keyOf(`WEBHOOK#${clientId}`, 'SIGNATURE');
const stage = keyOf('STAGE', 'STAGE');
const audit = keyOf('AUDIT#2026-11', '2026-11-22');
const names = { ExpressionAttributeNames: { '#partner': 'partner' } };
const update = (Key: object, UpdateExpression: string, more = {}) =>
  ['UpdateItem', { Key, UpdateExpression, ...names, ...more }] as const;
const returned = { ReturnValues: 'ALL_OLD' };
const ifEnabled = { ConditionExpression: '#partner.enabled = :yes' };
const inTransaction = { TableName, Key: profile, UpdateExpression: 'SET #partner = :mine', ...names };

test.each<readonly [string, string, string, object]>([
  ['issue-token', 'set grants', ...update(profile, 'SET #partner.grants = :all')],
  ['issue-token', 'set grants beside secrets', ...update(profile, 'SET secrets = :a, #partner.grants = :b')],
  [
    'issue-token',
    'set grants beside a revocation',
    ...update(profile, 'SET revokedAtMs = :a, #partner = :b'),
  ],
  [
    'issue-token',
    'set grants in a transaction',
    'TransactWriteItems',
    { TransactItems: [{ Update: inTransaction }] },
  ],
  ['issue-token', 'bring ended tokens back', ...update(profile, 'REMOVE tokensFromMs')],
  ['issue-token', 'ask what a record says', ...update(profile, 'SET revokedAtMs = :a', ifEnabled)],
  ['issue-token', 'have a record returned', ...update(profile, 'SET revokedAtMs = :a', returned)],
  ['issue-token', 'touch a record and name no attribute', 'UpdateItem', { Key: profile }],
  ['issue-token', 'replace a record', 'PutItem', { Item: profile }],
  ['issue-token', 'remove a partner', 'DeleteItem', { Key: profile }],
  ['issue-token', 'replace hashes', 'PutItem', { Item: hashes }],
  ['issue-token', 'write beside hashes', ...update(hashes, 'SET secrets = :mine')],
  ['issue-token', 'set a signature', ...update(signature, 'SET signature = :mine')],
  ['issue-token', 'change an audit record', ...update(audit, 'SET who = :other')],
  ['issue-token', 'read an audit record', 'GetItem', { Key: audit }],
  ['issue-token', 'remove an audit record', 'DeleteItem', { Key: audit }],
  ['v2-partner', 'read a signature', 'GetItem', { Key: signature }],
  ['v2-partner', 'have a signature returned', ...update(signature, 'SET signature = :mine', returned)],
  ['v2-partner', 'replace a signature as a whole', 'PutItem', { Item: signature }],
  ['v2-partner', 'set secrets', ...update(profile, 'SET secrets = :mine')],
  ['v2-partner', 'set what keep-endpoints has reached', ...update(profile, 'SET endpoint = :on')],
  ['v2-partner', 'bring ended tokens back', ...update(profile, 'SET webhook = :a REMOVE tokensFromMs')],
  ['v2-partner', 'set grants', ...update(profile, 'SET #partner.grants = :all')],
  ['v2-partner', 'set a record beside its webhook', ...update(profile, 'SET webhook = :a, #partner = :b')],
  ['v2-partner', 'replace a profile', 'PutItem', { Item: profile }],
  ['v2-partner', 'read hashes', 'BatchGetItem', { Key: hashes }],
  ['v2-partner', 'turn the switch of all webhooks', ...update(stage, 'SET a = :b')],
])('S-80 V2-13 %s may not %s', (name, _what, action, request) => {
  expect(may(name, action, request)).toBe(false);
});

test.each<readonly [string, string, string, object]>([
  ['issue-token', 'revoke a token', ...update(profile, 'SET revokedAtMs = :at')],
  [
    'issue-token',
    'have nothing returned',
    ...update(profile, 'SET revokedAtMs = :at', { ReturnValues: 'NONE' }),
  ],
  ['issue-token', 'set a hash', ...update(hashes, 'SET hashes.#id = :hash')],
  ['issue-token', 'set secrets', ...update(profile, 'SET secrets = :after')],
  ['issue-token', 'add an audit record', 'PutItem', { Item: audit }],
  ['v2-partner', 'set its webhook', ...update(profile, 'SET webhook = :mine')],
  ['v2-partner', 'set a signature', ...update(signature, 'SET signature = :mine')],
])('S-80 V2-13 %s may %s', (name, _what, action, request) => {
  expect(may(name, action, request)).toBe(true);
});
