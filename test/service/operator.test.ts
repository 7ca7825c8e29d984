import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { anOwner, uuidOf } from '../support/builders/transactions.ts';
import { root } from '../support/repository.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

jest.setTimeout(120_000);

let stage: ServiceStage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
endEngineAfterFile();

type Reader = {
  /** Interrupts the tool when its progress matches. */
  interruptWhen?: RegExp;
  /** The stream that is closed before the tool writes to it. */
  unread?: 'stdout' | 'stderr';
};

/** Runs the tool as a process, and collects what it prints. */
const operator = async (args: string[], { interruptWhen, unread }: Reader = {}) => {
  const child = spawn(process.execPath, [join(root, 'bin/operator.ts'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '', TRANSACTIONS_STACK: join(stage.dataDir, 'stack.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    if (interruptWhen?.test(`${said.err}${part}`) && !interruptWhen.test(said.err)) child.kill('SIGINT');
    said.err += part;
  });
  if (unread) child[unread].destroy();
  const [code] = await once(child, 'close');
  return { code, ...said };
};

const exportedUuids = async (): Promise<string[]> => {
  const { out } = await operator(['transactions', 'export']);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).uuid);
};

// A thousand lines are taken together; of the file the 11th is refused.
test('RUN-4 an interrupted import says what it loaded, and the same file loads the rest, in order', async () => {
  const uuids = Array.from({ length: 3_200 }, (_, index) => uuidOf(index));
  const lines = uuids.map((uuid) => JSON.stringify({ uuid, status: 0, ndMeta: anOwner() }));
  const path = join(stage.dataDir, 'history.ndjson');
  writeFileSync(path, [...lines.slice(0, 10), '{"uuid":1}', ...lines.slice(10)].join('\n'));
  const importing = ['transactions', 'import', path, '--json'];

  const interrupted = await operator(importing, { interruptWhen: /^1000 lines read/m });
  const loaded = await exportedUuids();
  const whole = await operator(importing, { unread: 'stderr' });

  expect(interrupted.code).toBe(130);
  const { read, ...counts } = JSON.parse(interrupted.out);
  expect(counts).toMatchObject({ imported: loaded.length, refused: [{ line: 11 }], interrupted: true });
  expect([1_000, 2_000]).toContain(read);
  expect(loaded).toEqual(uuids.slice(0, read - 1));

  expect(whole.code).toBe(1);
  expect(JSON.parse(whole.out)).toMatchObject({
    ...{ read: 3_201, imported: 3_200 - loaded.length, unchanged: loaded.length, refused: [{ line: 11 }] },
  });
  expect(await exportedUuids()).toEqual(uuids);
  const audit = await operator(['listing', 'audit', '--json']);
  expect(JSON.parse(audit.out)).toMatchObject({ transactions: 3_200, drift: 0 });
});

test.each([[['partner', 'list']], [['transactions', 'export']]])(
  '%j to a reader that stops reading ends quietly',
  async (args) => {
    const { code, err } = await operator(args, { unread: 'stdout' });

    expect({ code, err }).toEqual({ code: 0, err: '' });
  },
);

test('a stopped stage is reported as stopped', async () => {
  const file = join(stage.dataDir, 'gone.json');
  const stack = JSON.parse(readFileSync(join(stage.dataDir, 'stack.json'), 'utf8'));
  stack.operator.endpoints.dynamodb = 'http://127.0.0.1:9';
  writeFileSync(file, JSON.stringify(stack));

  const { out } = await operator(['partner', 'list', '--json', '--stack', file]);

  expect(JSON.parse(out)).toEqual({ error: 'The stage does not answer: is it still running?' });
});
