import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createAuditTrail } from '../../../bin/operator/store/audit-trail.ts';
import { createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

const aTrail = async () => {
  const access = await newTables(engine, ['Partners', 'Audit']);
  const { append } = createAuditStore(access);
  return {
    access,
    trail: createAuditTrail(access),
    at: (time: string, command: string) =>
      append({
        ...{ who: 'ada', caller: 'arn:aws:iam::111122223333:user/ada', command },
        ...{ arguments: { name: 'acme' }, atMs: Date.parse(time) },
      }),
  };
};

const now = new Date('2026-11-22T12:00:00Z');

test('DR-2 a record that Partners has lost is still in the copy', async () => {
  const { at, trail, access } = await aTrail();
  await at('2026-09-30T12:00:00Z', 'partner grant');
  await at('2026-10-30T12:00:00Z', 'partner create');
  await at('2026-11-20T12:00:00Z', 'partner disable');
  await takeAway(access.partnersTable, 'AUDIT#2026-11');

  const records = await trail.read(now);

  expect(records.map(({ command, isLost }) => [command, isLost])).toEqual([
    ['partner grant', false],
    ['partner create', false],
    ['partner disable', true],
  ]);
  expect(records[2]).toMatchObject({
    ...{ who: 'ada', caller: 'arn:aws:iam::111122223333:user/ada', arguments: { name: 'acme' } },
  });
});

test('DR-2 a record that was restored into Partners is not lost any more', async () => {
  const { at, trail, access } = await aTrail();
  await at('2026-11-20T12:00:00Z', 'partner disable');
  const before = await trail.read(now);
  await takeAway(access.partnersTable, 'AUDIT#2026-11');

  await trail.giveBack(await trail.read(now));

  expect(await trail.read(now)).toEqual(before);
});

test('DR-12 the copy knows that a command ended, whatever Partners has lost', async () => {
  const { at, trail, access } = await aTrail();
  const noteDone = await at('2026-11-20T12:00:00Z', 'partner enable');
  await at('2026-11-20T12:01:00Z', 'partner grant');
  await noteDone();
  await takeAway(access.partnersTable, 'AUDIT#2026-11');

  await trail.giveBack(await trail.read(now));

  expect((await trail.read(now)).map(({ command, isLost, isDone }) => [command, isLost, isDone])).toEqual([
    ['partner enable', false, true],
    ['partner grant', false, false],
  ]);
});

test('S-28 if the copy cannot be written, the command does not begin', async () => {
  const { access } = await aTrail();
  const audit = createAuditStore({ ...access, auditTable: 'nowhere' });

  await expect(audit.append({ who: 'ada', command: 'x', arguments: {}, atMs: 0 })).rejects.toThrow();
});

const takeAway = async (TableName: string, pk: string) => {
  const asked = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
  const { Items = [] } = await engine.documents.send(new QueryCommand({ TableName, ...asked }));
  for (const { sk } of Items) await engine.documents.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
};
