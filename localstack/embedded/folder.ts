import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../bin/operator/user-error.ts';
import { createTableInput, tableIds } from '../../lib/tables.ts';
import { openLoopback } from './loopback.ts';

/** Raise it when a change of stored data makes earlier data unreadable: the next start then asks for `--fresh`. */
const dataVersion = 10;

/** The files of one stage. Other files of the folder are left alone. */
export type DataFolder = {
  path: string;
  /** The engine's file. */
  tables: string;
  state: string;
  demo: string;
  marker: string;
  /** What the functions wrote in this run. */
  log: string;
  stack: string;
  lock: string;
};

const filesIn = (path: string): DataFolder => ({
  path,
  tables: join(path, 'tables', 'dynoxide.db'),
  state: join(path, 'state.db'),
  demo: join(path, 'demo.json'),
  marker: join(path, 'data-version.json'),
  log: join(path, 'stage.log'),
  stack: join(path, 'stack.json'),
  lock: join(path, 'stage.lock'),
});

/**
 * Locks the folder for this stage until it ends; with `fresh`, deletes the data of earlier starts, and nothing else. Throws a
 * UserError for a folder of another running stage, one that cannot be written, one with foreign files of the same names, and data
 * of another version.
 */
export const openFolder = async (name: string, { fresh }: { fresh: boolean }): Promise<DataFolder> => {
  const path = resolve(name);
  const folder = filesIn(path);
  try {
    await refuseLocked(folder);
    mkdirSync(path, { recursive: true });
    if (!existsSync(folder.marker)) refuseForeign(folder);
    await lock(folder);
    const data = [folder.state, `${folder.state}-wal`, `${folder.state}-shm`, folder.demo, folder.marker];
    if (fresh) remove(join(path, 'tables'), ...data);
    remove(folder.stack, folder.log);
    checkVersion(folder);
    mkdirSync(join(path, 'tables'), { recursive: true });
    // The engine makes its files readable for everybody, and they hold customers' data and webhook signatures.
    chmodSync(join(path, 'tables'), 0o700);
    return folder;
  } catch (error) {
    throw asSentence(error, path);
  }
};

export const closeFolder = (folder: DataFolder): void => remove(folder.stack, folder.lock);

/** What a person can do about a fault of the file system; any other error stays as it is. */
export const asSentence = (error: unknown, path: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  const choose = 'choose another folder: npm start -- --data DIR';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new UserError(`The folder ${path} cannot be written (${code}): ${choose}`);
  if (code === 'ENOTDIR' || code === 'EEXIST') return new UserError(`${path} is no folder: ${choose}`);
  if (code === 'ENOSPC' || /database or disk is full/.test(String(error)))
    return new UserError(`The disk with ${path} is full: make room, or ${choose}`);
  return error;
};

/** A folder without our marker must not have files of the names that we would write and `--fresh` would delete. */
const refuseForeign = (folder: DataFolder) => {
  const names = [join(folder.path, 'tables'), folder.state, folder.demo, folder.stack, folder.log];
  const foreign = names.find((file) => existsSync(file));
  if (foreign)
    throw new UserError(
      `${foreign} is not of a stage that this version can read: move it away, or choose another folder: npm start -- --data DIR`,
    );
};

/** Throws a UserError for data of another version, or of changed tables. New tables are allowed. */
const checkVersion = (folder: DataFolder) => {
  const stored = readJson<DataMarker>(folder.marker);
  // In the form of JSON, to be compared with the stored marker.
  const current: DataMarker = JSON.parse(
    JSON.stringify({
      dataVersion,
      tables: Object.fromEntries(tableIds.map((id) => [id, createTableInput(id)])),
    }),
  );
  const isReadable =
    !stored ||
    (stored.dataVersion === dataVersion &&
      Object.entries(stored.tables).every(([id, table]) => isDeepStrictEqual(table, current.tables[id])));
  if (!isReadable)
    throw new UserError(
      `The data in ${folder.path} was written by another version of the service; start once with a clean slate: npm start -- --fresh`,
    );
  writePrivateJson(folder.marker, current);
};

type DataMarker = { dataVersion: number; tables: Record<string, unknown> };

const remove = (...paths: string[]) => {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
};

type LockOwner = { pid: number; port: number };

/**
 * Keeps other stages out of the folder until this process ends. The owner answers with the folder's name on a loopback port, so a
 * lock left by `kill -9` is ignored, even when another process has its id or port by now.
 */
const lock = async (folder: DataFolder): Promise<void> => {
  const { port, server } = await openLoopback((_, response) => response.end(folder.path));
  server.unref();
  writePrivateJson(folder.lock, { pid: process.pid, port } satisfies LockOwner);
};

const refuseLocked = async ({ path, lock: file }: DataFolder): Promise<void> => {
  const owner = readJson<LockOwner>(file);
  if (!owner) return;
  const answer = await fetch(`http://127.0.0.1:${owner.port}`, { signal: AbortSignal.timeout(1_000) }).then(
    (response) => response.text(),
    () => undefined,
  );
  if (answer === path)
    throw new UserError(
      `Another embedded stage (process ${owner.pid}) uses ${path}; stop it, or choose another folder: npm start -- --data DIR`,
    );
};

/** Writes a file that only its owner may read, since it may hold secrets. It appears complete or not at all. */
export const writePrivateJson = (file: string, value: unknown): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

export const readJson = <Value>(file: string): Value | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
