import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { commandGroups } from '../../../../bin/operator/command-groups.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { now, operate } from '../../../support/operator/operator.ts';
import {
  begin,
  createPartner,
  json,
  leeds,
  run,
  stage,
  useTool,
  workspace,
} from '../../../support/operator/tool.ts';

useTool();

test('DEL-1 transactions restore brings a deleted transaction back as a new version, and no other', async () => {
  await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }, { version: 3 }));
  const restore = (number: number) => json(`transactions restore ${uuidOf(number)}`);

  expect(await restore(1)).toEqual({ uuid: uuidOf(1), isDeleted: 0, version: 4 });
  expect(await stage.deps.transactions.byUuid(uuidOf(1))).toMatchObject({
    version: 4,
    elementVersions: { own: 4, vehicle: 0 },
    updatedAtMs: now.getTime(),
    transaction: { isDeleted: 0 },
    sequenceNumber: 1,
  });
  expect([await restore(1), await restore(2)]).toEqual([
    { error: `The transaction ${uuidOf(1)} is not deleted: there is nothing to restore.` },
    { error: `There is no transaction ${uuidOf(2)}.` },
  ]);
});

describe('RUN-4 options that npm takes from before --', () => {
  const listIn = (environment: object) =>
    operate(stage.deps, workspace.stackFile, ['partner', 'list'], '', environment);

  test.each([
    [{ npm_config_outputs: 'x.json' }, '--outputs …'],
    [{ npm_config_stack: 'true' }, '--stack …'],
    [{ npm_config_with_deleted: 'true' }, '--with-deleted'],
    [{ npm_config_wait: '' }, '--no-wait'],
  ])('%j: a command that would do something else is refused', async (environment, option) => {
    const noted = `npm keeps ${option.split(' ')[0]} for itself: write npm run operator -- … ${option}\n`;

    expect(await listIn(environment)).toMatchObject({ exitCode: 1, noted });
  });

  test('permanent settings of npm are allowed', async () => {
    const environment = { npm_config_user_agent: 'npm', npm_config_yes: 'true', npm_config_json: 'true' };

    expect((await listIn(environment)).exitCode).toBe(0);
  });
});

describe('listing audit', () => {
  test('drift is counted, shown and exit code 1', async () => {
    const drifted = {
      ...(await stage.deps.listing.audit()),
      entryDrift: [{ key: 'e#node 000000001', found: 'missing' as const }],
      counterDrift: [{ key: 'c#node', attribute: 'n7', difference: -2 }],
    };
    begin({ listing: { audit: async () => drifted, repair: async () => ({ ...drifted, countersLeft: 0 }) } });

    const [said, repaired] = [await run('listing audit --json'), await run('listing repair --json')];

    expect([said.exitCode, repaired.exitCode]).toEqual([1, 0]);
    expect(JSON.parse(said.printed)).toMatchObject({ drift: 2, entryDrift: [{ found: 'missing' }] });
    expect(JSON.parse(repaired.printed)).toMatchObject({ mended: 2 });
  });

  test('STO-6 a repair prints the command again if counters changed between its audits', async () => {
    const found = await stage.deps.listing.audit();
    begin({ listing: { audit: async () => found, repair: async () => ({ ...found, countersLeft: 2 }) } });

    expect((await run('listing repair')).printed).toBe(
      '0 transactions, 0 entries, 0 counters.\nNothing was repaired.\n' +
        '2 counters changed during the audit and were not repaired: run "listing repair" again when there are few writes.\n',
    );
    expect(await json('listing repair')).toMatchObject({ mended: 0, countersLeft: 2 });
  });

  test('no drift is exit code 0', async () => {
    expect(await run('listing audit')).toMatchObject({
      exitCode: 0,
      printed: '0 transactions, 0 entries, 0 counters.\nNo drift.\n',
    });
  });
});

test('RUN-4 every command has help, with an example unless its name says everything', async () => {
  const program = new Command();
  for (const { add } of Object.values(commandGroups)) add(program, () => async () => {});
  const names = program.commands.flatMap((group) =>
    group.commands.length === 0
      ? [group.name()]
      : group.commands.map((command) => `${group.name()} ${command.name()}`),
  );
  const helps = await Promise.all(names.map(async (name) => (await run(`${name} --help`)).printed));

  expect(helps).toEqual(names.map((name) => expect.stringContaining(`Usage: operator ${name} [options]`)));
  expect(names.filter((name, index) => !new RegExp(`\\n {2}${name}\\b`).test(helps[index] ?? ''))).toEqual([
    ...['partner list', 'partner show', 'partner revoke-tokens'],
    ...['storefront list', 'storefront show', 'storefront delete'],
    ...['transactions import', 'transactions export', 'transactions restore', 'customer reapply'],
    ...['listing audit', 'listing repair', 'keys list', 'keys rotate'],
  ]);
});

test.each([
  ['partner list-secrets --help', "Unknown command 'list-secrets'."],
  ['partner --help lst', "Unknown command 'lst' (Did you mean list?)."],
  ['--as ann partner lst -h', "Unknown command 'lst' (Did you mean list?)."],
  ['partner help lst', "Unknown command 'lst' (Did you mean list?)."],
  ['help partner lst', "Unknown command 'lst' (Did you mean list?)."],
  ['partnr --help', "Unknown command 'partnr' (Did you mean partner?)."],
  ['help partnr', "Unknown command 'partnr' (Did you mean partner?)."],
  ['partnr list --help', "Unknown command 'partnr' (Did you mean partner?)."],
])('RUN-4 %s: an unknown command is an error, without the help of its group', async (args, sentence) => {
  expect(await run(args)).toMatchObject({
    ...{ exitCode: 1, printed: '' },
    noted: `${sentence} "--help" explains each command.\n`,
  });
});

test.each([
  ['--help', 'operator [options]'],
  ['help', 'operator [options]'],
  ['help partner', 'operator partner [options]'],
  ['partner --help', 'operator partner [options]'],
  ['partner help', 'operator partner [options]'],
  ['partner help list', 'operator partner list [options]'],
  ['explain acme --help', 'operator explain [options]'],
])('RUN-4 %s prints the requested help', async (args, usage) => {
  const { exitCode, printed } = await run(args);

  expect(exitCode).toBe(0);
  expect(printed).toContain(`Usage: ${usage}`);
});

describe('an error is one JSON document, or one sentence', () => {
  test.each([
    ['partner explode', "Unknown command 'explode'. HELP"],
    ['partner create', "Required option '--name <name>' not specified. HELP"],
    ['listing audit --jsonn', "Unknown option '--jsonn' (Did you mean --json?). HELP"],
    ['listing audit acme', "Too many arguments for 'audit'. Expected 0 arguments but got 1. HELP"],
    ['partner list --nope', "Unknown option '--nope'. HELP"],
    ['transactions import /nowhere.ndjson', '/nowhere.ndjson cannot be read.'],
    ['transactions export', '--json needs a file to export to.'],
    ['partner list --outputs /nowhere.json', '/nowhere.json does not exist.'],
  ])('%j', async (line, sentence) => {
    const { exitCode, printed } = await run([...line.split(' '), '--json']);

    const error = sentence.replace('HELP', '"--help" explains each command.');
    expect([exitCode, JSON.parse(printed)]).toEqual([1, { error }]);
  });

  test('without a stage, the sentence says what to do', async () => {
    const absent = join(workspace.folder, 'absent.json');

    const said = await operate(stage.deps, absent, ['partner', 'list']);

    expect(said).toMatchObject({ exitCode: 1, printed: '' });
    expect(said.noted).toContain('start the local one with "npm start"');
  });

  test('TH-21 text from data cannot control the terminal, in a table, a sentence, a question or a difference', async () => {
    await createPartner();
    const name = '\u001b]0;x\u0007';
    const owner = { ...leeds.owner, branch: 'a\u001b[2Jb\u202ec' };
    await stage.deps.storefronts.register({ ...leeds, name, owner });

    const unknown = await run(`partner show ${name}`);
    const mistyped = await run(`partner list --${name}`);
    const granted = await run(`partner grant acme --grant group=${name}`);
    const asked = await run(`storefront delete ${name}`, 'no');

    expect((await run('storefront list')).printed).toContain('a?[2Jb?c');
    expect(unknown.noted).toBe('There is no partner "?]0;x?": "partner list" shows all.\n');
    expect(mistyped.noted).toBe('Unknown option \'--?]0;x?\'. "--help" explains each command.\n');
    expect(granted.noted).toBe('Note: no storefront is registered for group ?]0;x? yet.\n');
    expect(asked.asked).toEqual([expect.stringMatching(/Type "\?\]0;x\?" to do it: $/)]);
    expect(granted.printed).toBe('Partner "acme":\n  + group=?]0;x?\nDone.\n');
  });
});
