import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { lineSchema } from '../../../bin/operator/import/import-schema.ts';
import { canariesOf } from '../../support/builders/canaries.ts';
import { anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { legibly } from '../../support/engine/legibly.ts';
import { type Case, type EventPlace, openEventPlace } from '../../support/stage/event-place.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';
import { importInto } from '../../support/stage/operator-of.ts';
import { aPartnerProgram } from '../../support/stage/partner-client.ts';

jest.setTimeout(120_000);

let stage: ServiceStage;
let events: EventPlace;
let documents: DynamoDBDocumentClient;
beforeAll(async () => {
  // 500 days of retention take long, and change nothing here.
  const handlers = { 'sweep-expired': async () => undefined };
  stage = await openStage({ dormancySeconds: 120, tickSeconds: 10, handlers });
  events = await openEventPlace(() => stage);
  documents = documentsOf(clientOf(stage.endpoints.dynamodb));
});
afterAll(async () => {
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const rename = async ({ uuid, ...credentials }: Case, lastName: string) => {
  // A token is an hour's.
  const program = await aPartnerProgram(stage, credentials);
  return (await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName } })).status;
};
const rangesTo = (name: string) =>
  events
    .notifiedTo(name)
    .map(({ headers }) => [headers['X-Transaction-From-Version'], headers['X-Transaction-Version']]);

type Item = Record<string, unknown> & { pk: string; sk: string };
const debounceTable = () => stage.variables.DEBOUNCE_TABLE;
const items = async (): Promise<Item[]> => {
  const found = await documents.send(new ScanCommand({ TableName: debounceTable(), ConsistentRead: true }));
  expect(found.LastEvaluatedKey).toBeUndefined();
  return (found.Items ?? []) as Item[];
};
const refusing = (caller: string, operation: RegExp, text: string, error: string) =>
  stage.fault((call) => {
    const isMeant = call.caller === caller && operation.test(call.target);
    return isMeant && JSON.stringify(call.input).includes(text) ? error : undefined;
  });

test('EV-17 I20 a change whose stream record is given up stops no other, and is told after the next reconciliation', async () => {
  const [poisoned, healthy] = [await events.aCase('poisoned'), await events.aCase('healthy')];
  refusing('capture-change', /UpdateItem/, poisoned.uuid, 'ValidationException');

  const statuses = [await rename(poisoned, 'Example'), await rename(healthy, 'Example')];
  // Six tries, half a second to eight seconds apart.
  for (let tries = 0; tries < 13; tries += 1) await stage.passTime(10_000);
  const beside = [rangesTo('poisoned'), rangesTo('healthy')];
  stage.fault();
  await stage.passTime(600_000);
  await rest();

  const failures = stage.logged('RECORD_FAILED').filter(({ service }) => service === 'capture-change');
  const repaired = stage.reported().flatMap((figures) => ('Repaired' in figures ? [figures.Repaired] : []));
  expect(statuses).toEqual([200, 200]);
  expect(beside).toEqual([[], [['1', '2']]]);
  expect(failures.length).toBeGreaterThanOrEqual(6);
  expect(rangesTo('poisoned')).toEqual([['1', '2']]);
  expect(repaired.filter((count) => count === 1)).toHaveLength(1);
});

test('I7 I16 while one partner’s partitions are throttled everybody is told once, and its line is written later', async () => {
  const throttled = await events.aCase('throttled');
  await events.partner('beside', `group=${throttled.group}`);
  refusing('publish-dormant', /BatchWriteItem/, `LOG#${throttled.clientId}`, 'ThrottlingException');
  const linesOf = async () =>
    (await items()).filter(({ pk }) => pk === `LOG#${throttled.clientId}`).map(({ outcome }) => outcome);
  const isUnwritten = async () => (await items()).some(({ unwritten }) => unwritten !== undefined);

  await rename(throttled, 'Example');
  await rest();
  const before = [await linesOf(), await isUnwritten()];
  stage.fault();
  await stage.passTime(40_000);
  const after = [await linesOf(), await isUnwritten()];
  await rename(throttled, 'Later');
  await rest();

  expect(before).toEqual([[], true]);
  expect(after).toEqual([['SENT'], false]);
  for (const name of ['throttled', 'beside'])
    expect([name, ...rangesTo(name)]).toEqual([name, ['1', '2'], ['2', '3']]);
});

test('I7 I16 a debt that its throttled partition does not take is written later, and its partner alone is sent the event then', async () => {
  const refused = await events.aCase('refused');
  await events.partner('accepted', `group=${refused.group}`);
  let isMended = false;
  stage.fault(({ caller, target, input }) => {
    const text = JSON.stringify(input);
    if (isMended || caller !== 'publish-dormant' || !text.includes(refused.clientId)) return undefined;
    if (target.endsWith('PutEvents')) return 'ValidationException';
    return /PutItem/.test(target) && text.includes(`TO#${refused.clientId}`)
      ? 'ThrottlingException'
      : undefined;
  });

  await rename(refused, 'Example');
  await rest();
  const before = [rangesTo('refused'), rangesTo('accepted')];
  isMended = true;
  await stage.passTime(40_000);
  await stage.passTime(10_000);

  expect(before).toEqual([[], [['1', '2']]]);
  expect([rangesTo('refused'), rangesTo('accepted')]).toEqual([[['1', '2']], [['1', '2']]]);
  expect((await items()).filter(({ pk }) => pk === `TO#${refused.clientId}`)).toEqual([]);
  stage.fault();
});

test('S-57 I13 no row and no line of the Debounce table has anything that a transaction says, told, failed or waiting', async () => {
  const uuid = uuidOf(900);
  const { planted, next } = canariesOf('debounce');
  const whole = planted(lineSchema.omit({ uuid: true, ndMeta: true, payments: true, guestEmail: true }));
  const change = { customer: { lastName: next() }, guestEmail: `${next()}@canary.example` };
  const canaries = JSON.stringify([whole, change]).match(/[0-9a-f]{40}/g) ?? [];
  await importInto(stage, [{ ...whole, uuid, status: 0, ndMeta: anOwner({ group: 'G-canary' }) }]);
  const { program, ...prompt } = await events.partner('prompt', 'group=G-canary');
  const failing = await events.partner('failing', 'group=G-canary');
  const paused = await events.partner('paused', 'group=G-canary');
  events.receiver.answers('failing', () => 404);
  await events.operate('partner', 'pause', 'paused');

  await program.write('PATCH', `/api/v2/transaction/${uuid}`, change);
  await rest();
  await stage.passTime(60_000);
  const rows = (await items()).filter((item) => JSON.stringify(item, legibly).includes(uuid));

  expect(canaries.length).toBeGreaterThan(30);
  expect(events.notifiedTo('prompt')).toHaveLength(1);
  for (const key of [
    `TX#${uuid}`,
    ...[prompt, failing].map(({ clientId }) => `LOG#${clientId}`),
    ...[failing, paused].map(({ clientId }) => `TO#${clientId}`),
  ])
    expect([key, rows.some(({ pk }) => pk === key)]).toEqual([key, true]);
  const told = `${JSON.stringify(await items(), legibly)}${stage.written()}`;
  expect(canaries.filter((canary) => told.includes(canary))).toEqual([]);
  expect(told).not.toContain(prompt.webhookSignature);
});

test('I5 EV-11 after 500 days of rest an edit tells one element, and a deletion is told', async () => {
  const rested = await events.aCase('rested');
  await rename(rested, 'Example');
  await rest();
  await stage.passTime(500 * 24 * 3_600_000);
  await expire();

  await rename(rested, 'Later');
  await rest();
  const program = await aPartnerProgram(stage, rested);
  await program.write('PATCH', `/api/v2/transaction/${rested.uuid}`, { isDeleted: 1 });
  await rest();

  const common = { uuid: rested.uuid, status: 0, ndMeta: anOwner({ group: rested.group }) };
  expect(events.notifiedTo('rested').map(({ message }) => message.detail)).toEqual([
    { ...common, customer: { firstName: 'Ann', lastName: 'Example' } },
    { ...common, customer: { firstName: 'Ann', lastName: 'Later' } },
    { ...common, isDeleted: 1 },
  ]);
  expect(rangesTo('rested')).toEqual([
    ['1', '2'],
    ['2', '3'],
    ['3', '4'],
  ]);
});

/** What DynamoDB's time to live has deleted by now. */
const expire = async () => {
  const seconds = Date.now() / 1_000;
  for (const { pk, sk, expiresAt = seconds + 1 } of await items())
    if (Number(expiresAt) <= seconds)
      await documents.send(new DeleteCommand({ TableName: debounceTable(), Key: { pk, sk } }));
};
