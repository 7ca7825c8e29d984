import { rmSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { type StartedEngine, startEngine } from '../../support/engine/engine.ts';
import { aWorkspace, memoryDeps, operate } from '../../support/operator/operator.ts';

const workspace = aWorkspace();
let engine: StartedEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  rmSync(workspace.folder, { recursive: true });
  await engine.stop();
});

const partnersAccess = () => ({ documents: engine.documents, partnersTable: 'Partners' });

const realStores = () =>
  memoryDeps({
    partners: createPartnerStore(partnersAccess()),
    storefronts: createStorefrontStore(partnersAccess()),
    audit: createAuditStore({ ...partnersAccess(), auditTable: 'Audit' }),
  }).deps;

const dump = async () => {
  const { Items = [] } = await engine.documents.send(new ScanCommand({ TableName: 'Partners' }));
  return Items;
};

test('S-18 no client secret is in the table, and the webhook signature only where it is sent from', async () => {
  const deps = realStores();
  const json = async (...args: string[]) =>
    JSON.parse((await operate(deps, workspace.stackFile, [...args, '--json'])).printed);

  const issued = await json('partner', 'create', '--name', 'acme', '--grant', 'group=G');
  const rotated = await json('partner', 'rotate-secret', 'acme');
  await json('partner', 'disable', 'acme');

  const items = await dump();
  const holding = (text: string) =>
    items.filter((item) => JSON.stringify(item).includes(text)).map(({ pk }) => pk);
  expect(holding(issued.clientSecret)).toEqual([]);
  expect(holding(rotated.clientSecret)).toEqual([]);
  expect(holding(issued.webhookSignature)).toEqual([`WEBHOOK#${issued.clientId}`]);
  expect(
    items
      .filter(({ pk }) => pk === 'AUDIT#2026-11')
      .map(({ command }) => command)
      .sort(),
  ).toEqual(['partner create', 'partner disable', 'partner rotate-secret']);
});
