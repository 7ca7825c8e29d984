import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Transaction } from '../../functions/shared/domain/transaction/transaction.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { demo, firstOf, northgates, startDemo } from '../support/stage/demo-stage.ts';
import { send } from '../support/stage/partner-client.ts';

let { stage, northgate, fleet } = {} as Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  ({ stage, northgate, fleet } = await startDemo());
}, 120_000);

afterAll(async () => stage.stop(), 30_000);

const sample = firstOf(northgates, ({ vehicle }) => JSON.stringify(vehicle).includes('ndstockid'));
const { ndstockid, salesmasterid } = (sample.vehicle as { identifiers: Record<string, string> }).identifiers;
const newUuid = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}-news`;

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
  ...[`?filter[uuid]=${newUuid(1)}`, `?filter[uuid]=${sample.uuid}`, `/${sample.uuid}`],
].map((rest) => `/api/v2/transaction${rest}`);

/** Everything of northgate's answers but dates and request ids. */
const observe = async () =>
  Promise.all(
    targets.map(async (target) => {
      const { status, headers, text } = await northgate.get(target);
      const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'request-id');
      return { target, status, headers: kept, text };
    }),
  );

/** Imports the same vehicles for another owner: the hardest ones to keep apart. */
const importCopies = async (isOwner: (group: string) => boolean, firstNumber: number) => {
  const owner = firstOf(demo, ({ ndMeta }) => isOwner(ndMeta?.group ?? '')).ndMeta;
  const copies = northgates.slice(0, 30).map(
    (one, index): Transaction => ({
      ...one,
      uuid: newUuid(firstNumber + index),
      ...(owner && { ndMeta: owner }),
    }),
  );
  const file = join(stage.dataDir, `copies-${firstNumber}.ndjson`);
  writeFileSync(file, copies.map((copy) => JSON.stringify(copy)).join('\n'));
  const operator = createOperatorTool(root, join(stage.dataDir, 'stack.json'));
  return operator('transactions', 'import', file);
};

const isNorthgate = (group: string) => group.startsWith('06fec110');
const totalOf = async (program: typeof northgate) =>
  (await program.get('/v2/transaction')).list()._meta.totalCount;

test('GRANT-3 S-04 what happens outside its scope changes no byte of what a partner is told', async () => {
  const before = await observe();
  const totalOfFleet = await totalOf(fleet);

  const imported = await importCopies((group) => group.startsWith('f1ebc11f'), 1);
  const bought = await send(stage, '/api/transaction', { headers: { Origin: 'http://localhost:5173' } });

  expect(await observe()).toEqual(before);
  expect(imported).toMatchObject({ ok: true, value: { read: 30, imported: 30 } });
  expect(bought.status).toBe(200);
  expect(await totalOf(fleet)).toBeGreaterThan(totalOfFleet);
});

test('the same inside its scope does change what it is told', async () => {
  const before = await observe();

  await importCopies(isNorthgate, 101);

  const after = await observe();
  expect(after.filter(({ text }, index) => text !== before[index]?.text).length).toBeGreaterThan(5);
  expect(await totalOf(northgate)).toBe(150);
});

test('V1-1 a checkout at a shop of its own is the last of its list at once', async () => {
  const total = await totalOf(northgate);

  const bought = await send(stage, '/api/transaction', { headers: { Origin: 'http://localhost:3000' } });

  const lastPage = await northgate.get(`/api/v2/transaction?per-page=1&page=${total + 1}`);
  expect(lastPage.list()._meta.totalCount).toBe(total + 1);
  expect(lastPage.list().data).toEqual([bought.json()]);
  expect((await fleet.get(`/api/v2/transaction/${bought.json().uuid}`)).status).toBe(404);
});
