import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { diceOf } from '../support/demo-data/random.ts';
import { transactionsBetween } from '../support/demo-data/transactions.ts';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(120_000);

let stage: TestStage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

type Reader = {
  /** Signals the tool when its progress matches. */
  stop?: { signal: NodeJS.Signals; when: RegExp };
  /** The stream that is closed before the tool writes to it. */
  unread?: 'stdout' | 'stderr';
};

/** Runs the tool and collects what it prints. */
const operator = async (args: string[], { stop, unread }: Reader = {}) => {
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
  if (unread) child[unread].destroy();
  const [code] = await once(child, 'close');
  return { code, ...said };
};

const json = async (...args: string[]) => {
  const { out, err } = await operator([...args, '--json']);
  if (out === '') throw new Error(`Nothing was printed, but said: ${err}`);
  return JSON.parse(out);
};

/** A file of generated checkouts that the demo does not have. */
const aFile = (name: string, count: number, seed: number) => {
  const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-10-01T00:00:00Z'), count };
  const lines = transactionsBetween(period, diceOf(seed)).map((line) => JSON.stringify(line));
  const path = join(stage.dataDir, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, lines };
};

const uuidOf = (line: string): string => JSON.parse(line).uuid;
const exportedUuids = async () => {
  const { out } = await operator(['transactions', 'export']);
  return out.trimEnd().split('\n').map(uuidOf);
};

test('RUN-4 an import that is killed, then interrupted, then left alone loads every line once, in order, without drift', async () => {
  const { path, lines } = aFile('history.ndjson', 800, 1);
  writeFileSync(path, [...lines.slice(0, 10), '{"uuid":1}', ...lines.slice(10)].join('\n'));
  const importing = ['transactions', 'import', path, '--json'];

  const killed = await operator(importing, { stop: { signal: 'SIGKILL', when: /200 lines read/ } });
  const afterKill = await exportedUuids();
  const interrupted = await operator(importing, { stop: { signal: 'SIGINT', when: /400 lines read/ } });
  const afterInterruption = await exportedUuids();
  const whole = await operator(importing, { unread: 'stderr' });

  expect(killed).toMatchObject({ code: null, out: '' });
  expect(afterKill.length).toBeGreaterThanOrEqual(199);
  expect(afterKill).toEqual(lines.slice(0, afterKill.length).map(uuidOf));
  expect(interrupted.code).toBe(130);
  expect(JSON.parse(interrupted.out)).toMatchObject({
    imported: afterInterruption.length - afterKill.length,
    unchanged: afterKill.length,
    interrupted: true,
  });
  expect(afterInterruption.length).toBeGreaterThanOrEqual(399);
  expect(afterInterruption.length).toBeLessThan(800);
  expect(afterInterruption).toEqual(lines.slice(0, afterInterruption.length).map(uuidOf));
  expect(whole.code).toBe(1);
  expect(JSON.parse(whole.out)).toMatchObject({
    read: 801,
    imported: 800 - afterInterruption.length,
    unchanged: afterInterruption.length,
    refused: [{ line: 11 }],
  });
  expect(await exportedUuids()).toEqual(lines.map(uuidOf));
  expect(await json('listing', 'audit')).toMatchObject({ transactions: 800, drift: 0 });
});

test.each([[['partner', 'list']], [['transactions', 'export']]])(
  '%j to a reader that has seen enough ends quietly',
  async (args) => {
    const { code, err } = await operator(args, { unread: 'stdout' });

    expect({ code, err }).toEqual({ code: 0, err: '' });
  },
);

test('a stage that was stopped is said to be stopped', async () => {
  const file = join(stage.dataDir, 'gone.json');
  const stack = JSON.parse(readFileSync(join(stage.dataDir, 'stack.json'), 'utf8'));
  stack.operator.endpoints.dynamodb = 'http://127.0.0.1:9';
  writeFileSync(file, JSON.stringify(stack));

  expect(await json('partner', 'list', '--stack', file)).toEqual({
    error: 'The stage does not answer: is it still running?',
  });
});
