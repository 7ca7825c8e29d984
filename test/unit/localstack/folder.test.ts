import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { asSentence, openFolder } from '../../../localstack/embedded/folder.ts';

let path: string;
const stages = new Set<() => void>();
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => {
  for (const close of stages) close();
  stages.clear();
  rmSync(path, { recursive: true });
});

const open = async (fresh = false, beforeChanges = async () => {}) => {
  const { folder, close } = await openFolder(path, { fresh, beforeChanges });
  stages.add(close);
  return {
    folder,
    close: () => {
      stages.delete(close);
      close();
    },
  };
};
const write = (name: string, text: string) => writeFileSync(join(path, name), text);
const elsewhere = 'choose another folder: npm start -- --data DIR';

test('RUN-1 a second stage is refused while the first has the folder, and admitted afterwards', async () => {
  const first = await open();

  await expect(open()).rejects.toThrow(
    `Another embedded stage (process ${process.pid}) uses ${path}; stop it, or ${elsewhere}`,
  );
  first.close();
  expect((await open()).folder.path).toBe(path);
});

test('RUN-1 a stage that is refused changes nothing in the folder of another', async () => {
  await open();
  write('stack.json', '{}');
  const before = readdirSync(path);

  await expect(open(true)).rejects.toThrow('Another embedded stage');

  expect(readdirSync(path)).toEqual(before);
});

test('RUN-2 the tables, with customers and webhook signatures, are for their owner alone, earlier ones too', async () => {
  const { folder, close } = await open();
  chmodSync(join(path, 'tables'), 0o755);
  close();

  await open();

  expect(statSync(join(path, 'tables')).mode & 0o777).toBe(0o700);
  expect(statSync(folder.marker).mode & 0o777).toBe(0o600);
});

test('RUN-1 --fresh forgets tables, state and demo, also of another version, and leaves other files', async () => {
  const { folder, close } = await open();
  const own = [folder.tables, folder.state, `${folder.state}-wal`, `${folder.state}-shm`, folder.demo];
  for (const file of [...own, folder.log, join(path, 'mine.txt')]) writeFileSync(file, '1');
  write('data-version.json', '{"dataVersion":1,"tables":{}}');
  close();

  await open(true);

  expect([...own, folder.log].filter(existsSync)).toEqual([]);
  expect(readFileSync(join(path, 'mine.txt'), 'utf8')).toBe('1');
  expect(JSON.parse(readFileSync(folder.marker, 'utf8')).dataVersion).toBeGreaterThan(1);
});

test('RUN-1 what else refuses a start refuses it before --fresh deletes, and leaves the folder to others', async () => {
  const { folder, close } = await open();
  writeFileSync(folder.demo, '{}');
  close();
  const taken = async () => {
    throw new Error('Port 8787 is taken');
  };

  await expect(open(true, taken)).rejects.toThrow('Port 8787 is taken');

  expect(readFileSync(folder.demo, 'utf8')).toBe('{}');
  await open();
});

test.each([
  'tables',
  'state.db',
  'demo.json',
  'serve-docs',
  'data-version.json',
  'stage.log',
  'stack.json',
  'stage.lock',
])('RUN-1 a foreign file %s is refused and stays as it is, with --fresh too', async (name) => {
  write(name, 'not of a stage');

  for (const fresh of [false, true])
    await expect(open(fresh)).rejects.toThrow(
      `${join(path, name)} is not of a stage that this version can read: move it away, or ${elsewhere}`,
    );
  expect(readFileSync(join(path, name), 'utf8')).toBe('not of a stage');
});

test('RUN-1 a new table is no obstacle; a changed or removed one is data of another version', async () => {
  const { folder, close } = await open();
  close();
  const marker = JSON.parse(readFileSync(folder.marker, 'utf8'));
  const { Audit: _, ...fewer } = marker.tables;
  const stored = (tables: object, dataVersion = marker.dataVersion) =>
    write('data-version.json', JSON.stringify({ dataVersion, tables }));
  const refusal = `The data in ${path} was written by another version of the service; start once with a clean slate: npm start -- --fresh`;

  stored(fewer);
  (await open()).close();
  for (const [tables, version] of [
    [{ ...fewer, Audit: { KeySchema: [] } }],
    [{ ...fewer, Removed: {} }],
    [fewer, marker.dataVersion - 1],
  ]) {
    stored(tables, version);
    await expect(open()).rejects.toThrow(refusal);
  }
  // A refusal leaves the folder to others.
  await open(true);
});

test.each([
  [{ code: 'EACCES' }, `The folder /data cannot be written (EACCES): ${elsewhere}`],
  [{ code: 'ENOTDIR' }, `/data is no folder: ${elsewhere}`],
  [{ code: 'ENOSPC' }, `The disk with /data is full: make room, or ${elsewhere}`],
  [new Error('database or disk is full'), `The disk with /data is full: make room, or ${elsewhere}`],
  [
    new Error('InternalServerError: commit failed (backend: database or disk is full)'),
    `The disk with /data is full: make room, or ${elsewhere}`,
  ],
  [new Error('attempt to write a readonly database'), `A file in /data cannot be written: ${elsewhere}`],
])('RUN-1 the fault %j of the file system says what to do', (fault, sentence) => {
  expect(asSentence(fault, '/data')).toEqual(new Error(sentence));
});

test('RUN-1 another fault stays as it is', async () => {
  const fault = new TypeError('a fault of the program');

  expect(asSentence(fault, '/data')).toBe(fault);
});
