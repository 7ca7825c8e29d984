import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../bin/operator/user-error.ts';
import { createTableInput, tableIds } from '../../lib/tables.ts';

/** Raise it when a change of stored data makes earlier data unreadable: the next start then asks for `--fresh`. */
const dataVersion = 11;

/** The files of one stage. Other files of the folder are left alone. */
export type DataFolder = {
  path: string;
  /** The engine's file. */
  tables: string;
  state: string;
  demo: string;
  /** The documents as `site`, made at each start. */
  docs: string;
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
  docs: join(path, 'serve-docs'),
  marker: join(path, 'data-version.json'),
  log: join(path, 'stage.log'),
  stack: join(path, 'stack.json'),
  lock: join(path, 'stage.lock'),
});

/** The folder of a stage that runs, and what ends its use. */
export type OpenFolder = { folder: DataFolder; close: () => void };

type FolderOptions = {
  fresh: boolean;
  /** What else may refuse the start, before the folder changes. */
  beforeChanges?: () => Promise<void>;
};

/**
 * Locks the folder for this stage until it ends; with `fresh`, deletes the data of earlier starts, and nothing else. Throws a
 * UserError for a folder of another running stage, one that cannot be written, one with foreign files of the same names, and data
 * of another version.
 */
export const openFolder = async (
  name: string,
  { fresh, beforeChanges }: FolderOptions,
): Promise<OpenFolder> => {
  const path = resolve(name);
  const folder = filesIn(path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const stored = markerIn(folder);
    if (!stored) refuseForeign(folder);
    const unlock = lock(folder);
    try {
      await beforeChanges?.();
      if (fresh) remove(folder.demo, folder.state, ...walOf(folder.state), join(path, 'tables'));
      else refuseOther(stored, folder);
      writePrivateJson(folder.marker, current);
      // A start that was killed while it loaded demo data leaves its own, which has secrets.
      remove(folder.stack, join(path, 'stack.pending.json'), folder.log, folder.docs);
      mkdirSync(join(path, 'tables'), { recursive: true });
      // The engine makes its files readable for everybody, and they hold customers' data and webhook signatures.
      chmodSync(join(path, 'tables'), 0o700);
    } catch (error) {
      unlock();
      throw error;
    }
    const close = () => {
      remove(folder.stack);
      unlock();
    };
    return { folder, close };
  } catch (error) {
    throw asSentence(error, path);
  }
};

/** What a person can do about a fault of the file system; any other error stays as it is. */
export const asSentence = (error: unknown, path: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  const choose = 'choose another folder: npm start -- --data DIR';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new UserError(`The folder ${path} cannot be written (${code}): ${choose}`);
  if (/readonly database|unable to open database/.test(String(error)))
    return new UserError(`A file in ${path} cannot be written: ${choose}`);
  if (code === 'ENOTDIR' || code === 'EEXIST') return new UserError(`${path} is no folder: ${choose}`);
  if (code === 'ENOSPC' || /database or disk is full/.test(String(error)))
    return new UserError(`The disk with ${path} is full: make room, or ${choose}`);
  return error;
};

const walOf = (database: string) => [`${database}-wal`, `${database}-shm`];

/** A folder without our marker must not have files of the names that we would write and `--fresh` would delete. */
const refuseForeign = ({ path, state, demo, docs, marker, log, stack }: DataFolder) => {
  const foreign = [join(path, 'tables'), state, demo, docs, marker, log, stack].find((file) =>
    existsSync(file),
  );
  if (foreign) refuseFile(foreign);
};

const refuseFile = (file: string): never => {
  throw new UserError(
    `${file} is not of a stage that this version can read: move it away, or choose another folder: npm start -- --data DIR`,
  );
};

type DataMarker = { dataVersion: number; tables: Record<string, unknown> };

/** In the form of JSON, to be compared with the stored marker. */
const current: DataMarker = JSON.parse(
  JSON.stringify({
    dataVersion,
    tables: Object.fromEntries(tableIds.map((id) => [id, createTableInput(id)])),
  }),
);

const markerIn = ({ marker }: DataFolder): DataMarker | undefined => {
  const stored = readJson<Partial<DataMarker>>(marker);
  return stored?.dataVersion !== undefined && stored.tables ? (stored as DataMarker) : undefined;
};

/** Throws a UserError for data of another version, or of changed tables. New tables are allowed. */
const refuseOther = (stored: DataMarker | undefined, { path }: DataFolder) => {
  const isReadable =
    !stored ||
    (stored.dataVersion === dataVersion &&
      Object.entries(stored.tables).every(([id, table]) => isDeepStrictEqual(table, current.tables[id])));
  if (!isReadable)
    throw new UserError(
      `The data in ${path} was written by another version of the service; start once with a clean slate: npm start -- --fresh`,
    );
};

const remove = (...paths: string[]) => {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
};

/**
 * Keeps other stages out of the folder until this process ends, however it ends: SQLite locks the file by the operating system.
 * The file stays, since another stage might hold the lock of one that is removed.
 */
const lock = ({ path, lock: file }: DataFolder): (() => void) => {
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    const owner = errcode === sqliteBusy ? db.prepare('PRAGMA user_version').get() : undefined;
    db.close();
    if (errcode === sqliteNoDatabase) refuseFile(file);
    if (!owner) throw error;
    throw new UserError(
      `Another embedded stage (process ${owner.user_version}) uses ${path}; stop it, or choose another folder: npm start -- --data DIR`,
    );
  }
  return () => db.close();
};

/** SQLite's result codes SQLITE_BUSY and SQLITE_NOTADB. */
const sqliteBusy = 5;
const sqliteNoDatabase = 26;

/** Writes a file that only its owner may read, since it may hold secrets. It appears complete or not at all. */
export const writePrivateJson = (file: string, value: unknown): void => {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    remove(`${file}.new`);
    throw error;
  }
};

/** Undefined for a file that is missing or no JSON: the stage's own files appear complete. */
export const readJson = <Value>(file: string): Value | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
