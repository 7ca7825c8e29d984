import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudTable } from '../cloudformation/model.ts';
import { lockFolder, refuseLocked } from './folder-lock.ts';
import { readJsonFile, writePrivateJson } from './private-json.ts';

/** Raise it when a change of stored data makes earlier data unreadable: the next start then asks for `--fresh`. */
const dataVersion = 9;

/** The files of one stage. Other files of the folder are left alone. */
export type DataFolder = Record<
  | 'path'
  | 'tables'
  | 'positions'
  | 'secrets'
  | 'events'
  | 'clock'
  | 'webhooks'
  | 'demo'
  | 'marker'
  | 'logs'
  | 'stack'
  | 'lock',
  string
>;

/** Refuses a folder in use early, since a second start of the same stage would fail at its ports first. */
export const refuseUsedFolder = async (name: string): Promise<void> =>
  refuseLocked(resolve(name), lockIn(resolve(name)));

const lockIn = (path: string) => join(path, 'stage.lock');

/**
 * Locks the folder for this stage until it ends; with `fresh`, deletes the data of earlier starts. Throws a UserError for a
 * folder that has such files, but not the marker that every start leaves: they are of another program.
 */
export const openDataFolder = async (name: string, { fresh }: { fresh: boolean }): Promise<DataFolder> => {
  const path = resolve(name);
  const folder: DataFolder = {
    path,
    tables: join(path, 'tables'),
    // Positions in the streams of these tables, deleted with them.
    positions: join(path, 'tables', 'stream-positions.json'),
    secrets: join(path, 'secrets.json'),
    events: join(path, 'events.db'),
    clock: join(path, 'clock.json'),
    webhooks: join(path, 'webhooks.db'),
    demo: join(path, 'demo.json'),
    marker: join(path, 'data-version.json'),
    logs: join(path, 'logs'),
    stack: join(path, 'stack.json'),
    lock: lockIn(path),
  };
  const data = [
    ...[folder.tables, folder.secrets, folder.clock, folder.demo],
    ...[folder.events, folder.webhooks].flatMap(withCompanions),
  ];
  const ofOneStart = [folder.stack, folder.logs];
  if (!isOfStage(folder)) refuseForeign(path, [...data, ...ofOneStart]);
  mkdirSync(path, { recursive: true });
  await lockFolder(path, folder.lock);
  if (fresh) remove(...data, folder.marker);
  remove(...ofOneStart);
  if (!isOfStage(folder)) writePrivateJson(folder.marker, { dataVersion, tables: {} } satisfies DataMarker);
  mkdirSync(folder.tables, { recursive: true });
  // The engine makes its files readable for everybody, and they hold customers' data and webhook signatures.
  chmodSync(folder.tables, 0o700);
  mkdirSync(folder.logs, { recursive: true });
  return folder;
};

const isOfStage = ({ marker }: DataFolder) =>
  typeof readJsonFile<DataMarker>(marker)?.dataVersion === 'number';

const refuseForeign = (path: string, files: readonly string[]) => {
  const found = files.find((file) => existsSync(file));
  if (found !== undefined)
    throw new UserError(
      `${path} has ${basename(found)}, which is of no local stage; choose another folder: npm start -- --data DIR`,
    );
};

/** SQLite keeps unfinished writes in files beside the database. */
const withCompanions = (database: string) => [database, `${database}-wal`, `${database}-shm`];

export const closeDataFolder = (folder: DataFolder): void => remove(folder.stack, folder.lock);

/** Throws a UserError for data of another version, or of changed table definitions. New tables are allowed. */
export const checkDataVersion = (folder: DataFolder, tables: readonly CloudTable[]): void => {
  const marker = readJsonFile<DataMarker>(folder.marker);
  const current = markerOf(tables);
  if (marker && !isReadable(marker, current)) {
    throw new UserError(
      `The data in ${folder.path} was written by another version of the service; start once with a clean slate: npm start -- --fresh`,
    );
  }
  writePrivateJson(folder.marker, current);
};

type DataMarker = { dataVersion: number; tables: Record<string, unknown> };

const markerOf = (tables: readonly CloudTable[]): DataMarker => ({
  dataVersion,
  // In the form of JSON, to be compared with the stored marker.
  tables: JSON.parse(
    JSON.stringify(Object.fromEntries(tables.map(({ id, definition }) => [id, definition]))),
  ),
});

const isReadable = (stored: DataMarker, current: DataMarker): boolean =>
  stored.dataVersion === current.dataVersion &&
  Object.entries(stored.tables).every(([id, definition]) =>
    isDeepStrictEqual(definition, current.tables[id]),
  );

const remove = (...paths: string[]) => {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
};
