import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { diceOf } from '../support/demo-data/random.ts';
import { transactionsBetween } from '../support/demo-data/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(240_000);

let stage: TestStage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

type Reader = {
  /** Signals the tool once: when its progress matches, and then `after` has come. */
  stop?: { signal: NodeJS.Signals; when: RegExp; after?: () => Promise<void> };
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
  let signalled: Promise<unknown> | undefined;
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said.err += part;
    if (stop?.when.test(said.err)) signalled ??= signalTo(child, stop);
  });
  if (unread) child[unread].destroy();
  const [code] = await once(child, 'close');
  await signalled;
  return { code, ...said };
};

const signalTo = async (child: ChildProcess, { signal, after }: NonNullable<Reader['stop']>) => {
  await after?.();
  child.kill(signal);
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

/** Waits until one of these is stored, at most a hundred polls. */
const untilOneIsThere = async (uuids: string[]) => {
  const { endpoints, variables } = stage.stack.operator;
  const { TRANSACTIONS_TABLE: table = '' } = variables;
  const client = clientOf(endpoints.dynamodb);
  const request = new BatchGetCommand({
    RequestItems: {
      [table]: {
        Keys: uuids.map((uuid) => ({ uuid })),
        ConsistentRead: true,
        ProjectionExpression: '#uuid',
        ExpressionAttributeNames: { '#uuid': 'uuid' },
      },
    },
  });
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const { Responses = {} } = await documentsOf(client).send(request);
    if (Responses[table]?.length) break;
    await sleep(5);
  }
  client.destroy();
};

// A thousand lines are taken together: of the file's first two thousand, whose 11th is refused, 999 and 1,000 are loaded.
test('RUN-4 an import that is killed, then interrupted, then left alone loads every line once, in order, without drift', async () => {
  const { path, lines } = aFile('history.ndjson', 3_200, 1);
  const uuids = lines.map(uuidOf);
  writeFileSync(path, [...lines.slice(0, 10), '{"uuid":1}', ...lines.slice(10)].join('\n'));
  const importing = ['transactions', 'import', path, '--json'];
  const amongTheSecondThousand = () => untilOneIsThere(uuids.slice(999, 1_099));

  const killed = await operator(importing, {
    stop: { signal: 'SIGKILL', when: /^1000 lines read/m, after: amongTheSecondThousand },
  });
  const afterKill = await exportedUuids();
  const auditAfterKill = await json('listing', 'audit');
  const interrupted = await operator(importing, { stop: { signal: 'SIGINT', when: /^2000 lines read/m } });
  const afterInterruption = await exportedUuids();
  const whole = await operator(importing, { unread: 'stderr' });

  expect(killed).toMatchObject({ code: null, out: '' });
  expect(afterKill.slice(0, 999)).toEqual(uuids.slice(0, 999));
  const part = afterKill.slice(999);
  expect(part.length).toBeGreaterThan(0);
  expect(part.length).toBeLessThan(1_000);
  expect(part).toEqual(uuids.slice(999, 1_999).filter((uuid) => part.includes(uuid)));
  expect(auditAfterKill).toMatchObject({ transactions: afterKill.length, drift: 0 });

  expect(interrupted.code).toBe(130);
  const { read, ...counts } = JSON.parse(interrupted.out);
  expect(counts).toMatchObject({
    imported: afterInterruption.length - afterKill.length,
    unchanged: afterKill.length,
    refused: [{ line: 11 }],
    interrupted: true,
  });
  expect([2_000, 3_000]).toContain(read);
  expect(afterInterruption).toEqual(uuids.slice(0, read - 1));

  expect(whole.code).toBe(1);
  expect(JSON.parse(whole.out)).toMatchObject({
    read: 3_201,
    imported: 3_200 - afterInterruption.length,
    unchanged: afterInterruption.length,
    refused: [{ line: 11 }],
  });
  expect(await exportedUuids()).toEqual(uuids);
  expect(await json('listing', 'audit')).toMatchObject({ transactions: 3_200, drift: 0 });
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
