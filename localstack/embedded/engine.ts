import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../bin/operator/user-error.ts';
import { refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import { createTableInput, type TableId, tableIds } from '../../lib/tables.ts';
import { freePort } from './free-port.ts';
import { region } from './wiring.ts';

/** A running DynamoDB engine; `pid` is undefined for an engine that the stage did not start (`DYNAMODB_ENDPOINT`). */
export type Engine = { endpoint: string; pid: number | undefined; stop: () => Promise<void> };

export type EngineOptions = {
  /** The file with the tables; without it they are in memory. */
  dbPath?: string;
  /** Uses a port that browsers block (S-83). Engines of tests do not need it, since they hold no person's data. */
  outOfReach?: boolean;
  environment?: Record<string, string | undefined>;
};

type Place = { host: string; port: number };

/** Starts an engine on loopback, and returns when it listens. It ends with this process, even after `kill -9`. */
export const startDynoxide = async (options: EngineOptions = {}): Promise<Engine> => {
  const environment = options.environment ?? process.env;
  const given = environment.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, pid: undefined, stop: async () => {} };
  const binary = findDynoxide(environment);
  // Retries, since another process may take the port between the check and the bind.
  for (let attempt = 1; ; attempt += 1) {
    const place = options.outOfReach ? placeOutOfReach() : { host: '127.0.0.1', port: await freePort() };
    const engine = await launch(binary, place, options.dbPath);
    if (engine.ok) {
      if (options.dbPath) indexStreamRecords(options.dbPath);
      return engine.value;
    }
    if (attempt === 8) throw new UserError(`The DynamoDB engine ${binary} did not start: ${engine.reason}`);
  }
};

/** Ports that browsers block for every page (Fetch standard, "port blocking"), without 6679, which Chromium opens. */
const portsNoBrowserOpens = [4045, 6665, 6666, 6667, 6668, 6669, 6697];

/** On Linux all of 127.0.0.0/8 is loopback, so that any number of stages finds a free address. */
const placeOutOfReach = (): Place => ({
  host:
    process.platform === 'linux'
      ? `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
      : '127.0.0.1',
  port: portsNoBrowserOpens[randomInt(portsNoBrowserOpens.length)] ?? 0,
});

/** Finds the engine in the platform's package or on PATH. Throws a UserError that names every way to get one. */
export const findDynoxide = (
  environment: Record<string, string | undefined>,
  platform = `${process.platform}-${process.arch}`,
): string => {
  const onPath = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const binary = [packageFolder(platform), ...onPath]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'dynoxide'))
    .find(isExecutable);
  if (binary && !platform.startsWith('win32')) return binary;
  const other = 'set DYNAMODB_ENDPOINT to the address of an engine that runs';
  throw new UserError(
    platform.startsWith('win32')
      ? `The stage starts no DynamoDB engine on Windows: ${other}, or use WSL.`
      : `No DynamoDB engine was found: ${platform === 'linux-x64' ? 'run npm ci, which installs @dynoxide/linux-x64, or ' : ''}put a dynoxide on PATH, or ${other}.`,
  );
};

const packageFolder = (platform: string) => {
  try {
    return join(createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`), '..');
  } catch {
    return undefined;
  }
};

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Runs the engine beside a `read` on a pipe from this process. However this process ends, the pipe closes, `read` returns, and
 * the engine is stopped. The engine has a session of its own and so gets no Ctrl-C, so that the stage can finish first.
 */
const guard = `
exec 3<&0
"$@" </dev/null >&2 & engine=$!
echo "$engine"
{ read -r _ <&3; kill "$engine"; } & watcher=$!
wait "$engine"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"`;

const launch = async (binary: string, { host, port }: Place, dbPath: string | undefined) => {
  const command = [binary, '--host', host, '--port', `${port}`, ...(dbPath ? ['--db-path', dbPath] : [])];
  const child = spawn('/bin/sh', ['-c', guard, 'dynoxide', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const [pid] = await once(createInterface({ input: child.stdout }), 'line');
  if (!(await listens(child, said))) {
    return refuse(said.join(' ') || `it ended with code ${child.exitCode}`);
  }
  letGo(child);
  return succeed({ endpoint: `http://${host}:${port}`, pid: Number(pid), stop: stopper(child) });
};

/** Waits until the engine prints that it listens. */
const listens = async (child: ChildProcessWithoutNullStreams, said: string[]) => {
  while (child.exitCode === null && child.signalCode === null) {
    if (said.some((line) => line.includes('listening on'))) return true;
    await pause(5);
  }
  return false;
};

/** Lets this process end although the engine runs. */
const letGo = (child: ChildProcessWithoutNullStreams) => {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket).unref();
};

const stopper = (child: ChildProcessWithoutNullStreams) => async () => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
};

/**
 * To number a stream record, dynoxide reads all records of its table: 4 ms a write at 5,000 records. This index makes that, and
 * reads of a stream, independent of the number of records. It is stored with the tables.
 */
const indexStreamRecords = (dbPath: string): void =>
  within(dbPath, (db) =>
    db.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ' +
        'ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)',
    ),
  );

/**
 * Removes the records that every reader of the table has passed, up to `upTo`, at 7 µs a record. The last record stays, since
 * the engine counts from it, and numbers must not restart.
 */
export const forgetStreamRecords = (dbPath: string, table: string, upTo: number): void =>
  within(dbPath, (db) =>
    db
      .prepare(
        'DELETE FROM _stream_records WHERE table_name = $table AND CAST(sequence_number AS INTEGER) <= $upTo ' +
          'AND CAST(sequence_number AS INTEGER) < ' +
          '(SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = $table)',
      )
      .run({ table, upTo }),
  );

/** Opens the engine's file, which the engine may have open as well: each waits for the other's writes. */
export const within = (dbPath: string, work: (db: DatabaseSync) => unknown): void => {
  const db = new DatabaseSync(dbPath, { timeout: 5000 });
  try {
    work(db);
  } finally {
    db.close();
  }
};

/** What a client of the AWS SDK needs to call the engine, which checks no credentials. */
export const connectionTo = (endpoint: string) => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** Creates the tables that the engine lacks under these names, and returns the ids of those. */
export const createMissingTables = async (
  endpoint: string,
  tableNames: Record<TableId, string>,
): Promise<TableId[]> => {
  const client = new DynamoDBClient(connectionTo(endpoint));
  const { TableNames = [] } = await client.send(new ListTablesCommand({})).catch((error: Error) => {
    throw new UserError(
      `The DynamoDB engine at ${endpoint} does not answer: ${error.message || error.name}. Start it, or unset DYNAMODB_ENDPOINT.`,
    );
  });
  const missing = tableIds.filter((id) => !TableNames.includes(tableNames[id]));
  await Promise.all(
    missing.map((id) => client.send(new CreateTableCommand(createTableInput(id, tableNames[id])))),
  );
  client.destroy();
  return missing;
};
