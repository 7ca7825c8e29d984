import { describe, expect, test } from '@jest/globals';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

describe('restore adopt', () => {
  test('DR-3 gives every transaction a version that nobody has seen', async () => {
    await stage.deps.transactions.createMany([aNewTransaction({ uuid: uuidOf(1) })]);

    const report = await json('restore adopt transactions --yes');

    expect(report).toMatchObject({ transactions: 1, lifted: 1, notified: 0, dryRun: false });
    expect(await stage.deps.transactions.byUuid(uuidOf(1))).toMatchObject({ version: 1_795_262_400_000 });
    expect(stage.records).toMatchObject([
      { command: 'restore adopt', arguments: { tables: ['transactions'] } },
    ]);
  });

  test.each([
    ['customers', 'customers'],
    ['listing,', ''],
  ])('of "%s" is refused with the unknown name', async (tables, unknown) => {
    expect(await json(`restore adopt ${tables} --yes`)).toEqual({
      error: `"${unknown}" is not a table: name one or more of transactions, listing, partners, debounce, requests.`,
    });
  });

  test('S-61 erases again what a restored table brought back, before all else; a dry run counts it, and changes and records nothing', async () => {
    const email = 'ann@example.org';
    const { personalData, transactions } = stage.deps;
    const digest = (await personalData.erasures.digester())(email);
    await personalData.erasures.add({ atMs: 1_795_000_000_000, digest, uuids: [] });
    await transactions.create(aNewTransaction({ uuid: uuidOf(1), customer: { email } }));

    const counted = await json('restore adopt transactions --dry-run');
    const before = await transactions.byUuid(uuidOf(1));
    expect(stage.records).toEqual([]);
    const adopted = await json('restore adopt transactions --yes');

    const erased = { erasedAgain: { transactions: 1, copies: 0 } };
    expect([counted, adopted]).toMatchObject([erased, erased]);
    expect(before?.transaction).toMatchObject({ isDeleted: 0, customer: { email } });
    expect(await transactions.byUuid(uuidOf(1))).toMatchObject({
      ...{ version: 1_795_262_400_000, elementVersions: { own: 2 } },
      transaction: { isDeleted: 1 },
    });
  });

  test.each([
    ['transactions', 1],
    ['debounce', 0],
    ['requests', 1],
    ['listing,partners', 0],
  ])('S-61 tables with personal data are searched for it, others not: %s', async (tables, exitCode) => {
    stage.deps.personalData.erasures.all = () => Promise.reject(new Error('searched'));

    expect((await run(`restore adopt ${tables} --yes`)).exitCode).toBe(exitCode);
  });

  test('DR-9 is refused while another one has not ended, with the command that ends it', async () => {
    const note = { floor: 1, tables: ['debounce'], restoredToMs: 0, largestId: 0, lastSequenceNumber: 0 };
    await stage.deps.recovery.begin(note);

    const said = await run('restore adopt transactions --yes');

    expect(said.noted).toBe('An adoption of debounce has not ended: "restore adopt debounce" ends it.\n');
  });

  test('DR-9 an interrupted adoption is continued whatever the order of its tables', async () => {
    const tables = ['transactions', 'debounce'];
    await stage.deps.recovery.begin({
      ...{ floor: 1, tables, restoredToMs: 0, largestId: 0, lastSequenceNumber: 0 },
    });

    expect((await run('restore adopt debounce,transactions --yes')).exitCode).toBe(0);
  });
});

test('DR-14 after a restore of Partners, the status of endpoints is cleared, and nothing else', async () => {
  const { clientId } = await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  const endpoint = async () => (await stage.deps.partners.profileOf(clientId))?.endpoint?.state;

  await json('restore adopt requests --yes');
  await json('restore adopt partners --dry-run');
  expect(await endpoint()).toBe('on');
  await json('restore adopt partners --yes');
  expect(await endpoint()).toBeUndefined();
});

test('DR-8 after a restore of Requests, every partner needs new tokens', async () => {
  const { clientId } = await createPartner();

  const report = await json('restore adopt requests --yes');

  expect(report).toMatchObject({ tokensEnded: 1, lifted: 0 });
  expect((await stage.deps.partners.profileOf(clientId))?.tokensFromMs).toBeGreaterThan(0);
});
