import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { anOwner } from '../support/builders/transactions.ts';
import { root } from '../support/repository.ts';
import { copyOf, firstOf, northgates } from '../support/stage/demo-stage.ts';
import { aPartnerProgram, type Credentials, send } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

let stage: OpenStage;
let near: Awaited<ReturnType<typeof aPartnerProgram>>;
let far: typeof near;

/** Two partners of a group each, with a shop; the near one has 120 transactions. */
beforeAll(async () => {
  stage = await sharedStage();
  [near, far] = await Promise.all([aPartnerOf('near'), aPartnerOf('far')]);
  for (const group of ['near', 'far']) {
    const { franchise, location, branch } = anOwner();
    const owner = Object.entries({ group, franchise, location, branch });
    const words = owner.flatMap(([name, value]) => [`--${name}`, value]);
    await operate('storefront', 'create', '--name', `shop ${group}`, ...words, '--origin', shopOf(group));
  }
  await importCopies('near', 1_000, northgates);
}, 300_000);

const aPartnerOf = async (group: string) => {
  const created = await operate(
    'partner',
    'create',
    '--name',
    `partner ${group}`,
    '--grant',
    `group=${group}`,
  );
  return aPartnerProgram(stage, created as Credentials);
};
const shopOf = (group: string) => `https://${group}.shop.example`;

const operate = async (...words: string[]): Promise<unknown> => {
  const outcome = await createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore')(...words);
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.reason);
};

/** Imports the same checkouts for another owner: the hardest ones to keep apart. */
const importCopies = async (group: string, firstNumber: number, originals = northgates.slice(0, 30)) => {
  const copies = originals.map((one, index) => copyOf(one, { uuid: newUuid(firstNumber + index), group }));
  const folder = mkdtempSync(join(tmpdir(), 'copies-'));
  const file = join(folder, 'copies.ndjson');
  writeFileSync(file, copies.map((copy) => JSON.stringify(copy)).join('\n'));
  return operate('transactions', 'import', file).finally(() => rmSync(folder, { recursive: true }));
};

const newUuid = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}-news`;

const sample = firstOf(northgates, ({ vehicle }) => JSON.stringify(vehicle).includes('ndstockid'));
const ofSample = newUuid(1_000 + northgates.indexOf(sample));
const { ndstockid, salesmasterid } = (sample.vehicle as { identifiers: Record<string, string> }).identifiers;

const targets = [
  ...[
    '',
    '?page=5&expand=payments',
    '?per-page=50&page=3',
    '?page=13',
    '?filter[status]=1',
    '?filter[status]=0&page=2',
  ],
  ...[`?filter[identifiers][ndstockid]=${ndstockid}`, `?filter[identifiers][salesmasterid]=${salesmasterid}`],
  ...[`?filter[uuid]=${newUuid(1)}`, `?filter[uuid]=${ofSample}`, `/${ofSample}`],
].map((rest) => `/api/v2/transaction${rest}`);

/** Everything of the near partner's answers but dates, request ids and how many requests it has left. */
const observe = async () =>
  Promise.all(
    targets.map(async (target) => {
      const { status, headers, text } = await near.get(target);
      const kept = [...headers].filter(([name]) => !['date', 'request-id', 'ratelimit'].includes(name));
      return { target, status, headers: kept, text };
    }),
  );

const totalOf = async (program: typeof near) =>
  (await program.get('/v2/transaction')).list()._meta.totalCount;

test('GRANT-3 S-04 what happens outside its scope changes no byte of what a partner is sent', async () => {
  const before = await observe();
  const totalOfFar = await totalOf(far);

  const imported = await importCopies('far', 1);
  const bought = await send(stage, '/api/transaction', { headers: { Origin: shopOf('far') } });

  expect(await observe()).toEqual(before);
  expect(before.filter(({ status }) => status === 200)).toHaveLength(targets.length);
  expect(imported).toMatchObject({ read: 30, imported: 30 });
  expect(bought.status).toBe(200);
  expect(await totalOf(far)).toBe(totalOfFar + 31);
});

test('the same inside its scope does change what it is sent', async () => {
  const before = await observe();

  await importCopies('near', 101);

  const after = await observe();
  expect(after.filter(({ text }, index) => text !== before[index]?.text).length).toBeGreaterThan(5);
  expect(await totalOf(near)).toBe(150);
});

test('V1-1 a checkout at a shop of its own is the last of its list at once', async () => {
  const total = await totalOf(near);

  const bought = await send(stage, '/api/transaction', { headers: { Origin: shopOf('near') } });

  const lastPage = await near.get(`/api/v2/transaction?per-page=1&page=${total + 1}`);
  expect(lastPage.list()._meta.totalCount).toBe(total + 1);
  expect(lastPage.list().data).toEqual([bought.json()]);
  expect((await far.get(`/api/v2/transaction/${bought.json().uuid}`)).status).toBe(404);
});
