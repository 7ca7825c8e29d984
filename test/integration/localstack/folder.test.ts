import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudTable } from '../../../localstack/cloudformation/model.ts';
import { checkDataVersion, closeDataFolder, openDataFolder } from '../../../localstack/data/data-folder.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'folder-'));
});
let other: Server | undefined;
afterEach(() => {
  other?.close();
  rmSync(path, { recursive: true });
});

const table = (id: string, key = 'pk'): CloudTable => ({
  id,
  name: `local-${id}`,
  definition: { TableName: `local-${id}`, KeySchema: [{ AttributeName: key, KeyType: 'HASH' }] },
});

describe("the stage's folder", () => {
  test('a second stage is refused while the first has it, and let in afterwards', async () => {
    const folder = await openDataFolder(path, { fresh: false });

    await expect(openDataFolder(path, { fresh: false })).rejects.toThrow(
      `Another local stage (process ${process.pid}) uses ${path}; stop it, or choose another folder: npm start -- --data DIR`,
    );
    closeDataFolder(folder);
    await expect(openDataFolder(path, { fresh: false })).resolves.toMatchObject({ path });
  });

  test.each([
    ['the stage of another folder', (socket: Socket) => socket.end('/elsewhere')],
    ['a program that hangs up', (socket: Socket) => socket.destroy()],
    ['a program that answers otherwise', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request')],
  ])('a lock left behind by kill -9 is no obstacle, even when %s has its port now', async (_, answer) => {
    let calls = 0;
    other = createServer((socket) => {
      calls += 1;
      answer(socket.on('error', () => {}));
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    writeFileSync(join(path, 'stage.lock'), JSON.stringify({ pid: process.pid, port }));

    await expect(openDataFolder(path, { fresh: false })).resolves.toMatchObject({ path });

    expect(calls).toBe(1);
  });

  test("S-18: tables, which hold customers and webhook signatures, are their owner's alone, earlier ones too", async () => {
    const folder = await openDataFolder(path, { fresh: false });
    closeDataFolder(folder);
    chmodSync(folder.tables, 0o755);
    const { tables } = await openDataFolder(path, { fresh: false });

    expect(statSync(tables).mode & 0o777).toBe(0o700);
  });

  test('RUN-12 --fresh forgets tables, secrets, events, credentials and the time, and leaves everything else in the folder', async () => {
    const folder = await openDataFolder(path, { fresh: false });
    const databases = [folder.events, folder.webhooks].flatMap((file) => [
      file,
      `${file}-wal`,
      `${file}-shm`,
    ]);
    const own = [join(folder.tables, 'db'), folder.secrets, ...databases, folder.clock, folder.demo];
    for (const file of [...own, join(path, 'mine.txt')]) writeFileSync(file, '1');
    closeDataFolder(folder);

    await openDataFolder(path, { fresh: true });

    expect(own.filter(existsSync)).toEqual([]);
    expect(readFileSync(join(path, 'mine.txt'), 'utf8')).toBe('1');
  });

  test.each([
    'tables',
    'secrets.json',
    'events.db',
    'webhooks.db-wal',
    'clock.json',
    'demo.json',
    'logs',
    'stack.json',
  ])('RUN-1 a folder that has %s of another program is refused, and stays as it is', async (name) => {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'mine.txt'), 'mine');

    for (const fresh of [false, true])
      await expect(openDataFolder(path, { fresh })).rejects.toThrow(
        `${path} has ${name}, which is of no local stage; choose another folder: npm start -- --data DIR`,
      );

    expect(readdirSync(path, { recursive: true })).toEqual([name, join(name, 'mine.txt')]);
  });

  test('RUN-1 what is left of a start that failed early is no obstacle, with --fresh neither', async () => {
    closeDataFolder(await openDataFolder(path, { fresh: false }));
    closeDataFolder(await openDataFolder(path, { fresh: true }));

    await expect(openDataFolder(path, { fresh: false })).resolves.toMatchObject({ path });
  });

  test.each([
    ['a table with another key', [table('Listing', 'uuid')]],
    ['a table that is no longer there', [table('Debounce')]],
  ])(
    'a table more is no obstacle; data of another version (%s) is refused with the way out',
    async (_, tables) => {
      const folder = await openDataFolder(path, { fresh: false });
      checkDataVersion(folder, [table('Listing')]);

      expect(() => checkDataVersion(folder, [table('Listing'), table('Debounce')])).not.toThrow();
      expect(() => checkDataVersion(folder, tables)).toThrow(
        `The data in ${path} was written by another version of the service; start once with a clean slate: npm start -- --fresh`,
      );
    },
  );
});
