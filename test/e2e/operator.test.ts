import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { diceOf } from '../../localstack/demo/random.ts';
import { transactionsBetween } from '../../localstack/demo/transactions.ts';
import { startStage, type TestStage } from '../support/stage.ts';

jest.setTimeout(120_000);

const root = join(import.meta.dirname, '..', '..');
let stage: TestStage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

/** The tool as people run it; `stop` may end it when it has said something. */
const operator = async (args: string[], stop?: { signal: NodeJS.Signals; when: RegExp }) => {
  const child = spawn(process.execPath, [join(root, 'bin/operator.ts'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '', TRANSACTIONS_STACK: join(stage.dataDir, 'stack.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said.err += part;
    if (stop?.when.test(said.err)) child.kill(stop.signal);
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
};

const json = async (...args: string[]) => {
  const { out, err } = await operator([...args, '--json']);
  if (out === '') throw new Error(`Nothing was printed, but said: ${err}`);
  return JSON.parse(out);
};

/** A file of its own per name; other checkouts than those of the demo. */
const aFile = (name: string, count: number, seed: number) => {
  const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-10-01T00:00:00Z'), count };
  const lines = transactionsBetween(period, diceOf(seed)).map((line) => JSON.stringify(line));
  const path = join(stage.dataDir, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, lines };
};

const uuidOf = (line: string): string => JSON.parse(line).uuid;
const exportedUuids = async (name: string) => {
  const path = join(stage.dataDir, name);
  await json('transactions', 'export', path, '--yes');
  return readFileSync(path, 'utf8').trimEnd().split('\n').map(uuidOf);
};

test('RUN-5 the answer of partner create is a partner that can ask for a token', async () => {
  const issued = await json('partner', 'create', '--name', 'acme', '--grant', 'group=G');

  const answer = await fetch(`${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${issued.clientId}:${issued.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'nop2/read nop2/write' }),
  });

  expect(Object.keys(issued)).toEqual(['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants']);
  expect(answer.status).toBe(200);
});

test('S-18 show and list tell nothing that was shown at creation', async () => {
  const issued = await json('partner', 'create', '--name', 'discreet');

  const shown = await operator(['partner', 'show', 'discreet', '--json']);
  const listed = await operator(['partner', 'list']);

  for (const text of [shown.out, listed.out]) {
    expect(text).toContain(issued.clientId);
    expect(text).not.toContain(issued.clientSecret);
    expect(text).not.toContain(issued.webhookSignature);
  }
});

test.each([
  [['--help'], 'partner list --outputs outputs.json'],
  [['partner', 'create', '--help'], 'partner create --name acme --grant group=G1'],
  [['transactions', 'import', '--help'], 'uuid, status and ndMeta are needed.'],
  [['storefront', 'create', '--help'], 'storefront create --name leeds'],
  [['listing', 'audit', '--help'], 'the exit code is 1 where they differ'],
])('%j explains with an example', async (args, text) => {
  const { code, out } = await operator(args);

  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(text);
});

test('without a terminal and without --yes a partner is not removed', async () => {
  await json('partner', 'create', '--name', 'kept');

  const { code, err } = await operator(['partner', 'delete', 'kept']);

  expect(code).toBe(1);
  expect(err).toBe(
    'This removes the partner "kept" and its credentials for good. There is no terminal to confirm this at: add --yes to do it.\n',
  );
  expect(await json('partner', 'show', 'kept')).toMatchObject({ name: 'kept' });
});

describe('RUN-4 import', () => {
  test('a bad line is named, the others are loaded, lists show them and the audit finds no drift', async () => {
    const { path, lines } = aFile('some.ndjson', 60, 1);
    writeFileSync(path, [...lines.slice(0, 10), '{"uuid":1}', ...lines.slice(10)].join('\n'));

    const { code, out } = await operator(['transactions', 'import', path, '--json']);

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ read: 61, imported: 60, unchanged: 0, refused: [{ line: 11 }] });
    expect(await exportedUuids('some-back.ndjson')).toEqual(lines.map(uuidOf));
    expect(await json('listing', 'audit')).toMatchObject({ transactions: 60, drift: 0 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const)(
    '%s in the middle, then again: every transaction once, in order, no drift',
    async (signal, exitCode) => {
      const { path, lines } = aFile(`${signal}.ndjson`, 1_500, signal.length);
      const before = (await exportedUuids('before.ndjson')).length;

      const ended = await operator(['transactions', 'import', path, '--json'], {
        signal,
        when: /500 lines read/,
      });
      const left = (await exportedUuids('left.ndjson')).slice(before);
      const again = await json('transactions', 'import', path);

      expect(ended.code).toBe(exitCode);
      if (signal === 'SIGINT')
        expect(JSON.parse(ended.out)).toMatchObject({ imported: left.length, interrupted: true });
      expect(left.length).toBeGreaterThanOrEqual(500);
      expect(left.length).toBeLessThan(1_500);
      expect(left).toEqual(lines.slice(0, left.length).map(uuidOf));
      expect(again).toMatchObject({
        read: 1_500,
        imported: 1_500 - left.length,
        unchanged: left.length,
        refused: [],
      });
      expect((await exportedUuids('after.ndjson')).slice(before)).toEqual(lines.map(uuidOf));
      expect(await json('listing', 'audit')).toMatchObject({ drift: 0 });
    },
  );
});

test('an export is for its owner only, and replaces nothing unasked', async () => {
  const path = join(stage.dataDir, 'own.ndjson');
  await json('transactions', 'export', path);

  const again = await json('transactions', 'export', path);

  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(again).toEqual({ error: `${path} exists already: name another file, or add --yes to replace it.` });
});

test('a stage that was stopped is said to be stopped', async () => {
  const file = join(stage.dataDir, 'gone.json');
  const stack = JSON.parse(readFileSync(join(stage.dataDir, 'stack.json'), 'utf8'));
  stack.operator.endpoints.dynamodb = 'http://127.0.0.1:9';
  writeFileSync(file, JSON.stringify(stack));

  expect(await json('partner', 'list', '--stack', file)).toEqual({
    error: 'The stage does not answer: is it still running?',
  });
});
