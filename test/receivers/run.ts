import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { path } from '../deploy/places.ts';
import { run, start, stopAll } from '../deploy/processes.ts';
import { Report } from '../deploy/report.ts';
import { answerRawRequests } from '../support/receivers/raw-requests.ts';
import { root } from '../support/repository.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';

/**
 * `npm run nightly -- receivers`: starts the kit's receivers in other languages, and has `attack --state` try each of them
 * against every rule (KIT-30).
 */
type Receiver = {
  file: string;
  /** Shows that the language is there, with all that the receiver needs of it. */
  probe: readonly [command: string, ...args: string[]];
  needs: string;
  /** Or its web server does. */
  readsFraming: boolean;
  command: (file: string, port: number) => { command: string; args: string[] };
};

const receivers: readonly Receiver[] = [
  {
    file: 'receiver.php',
    probe: ['php', '-r', "exit(PHP_VERSION_ID >= 80100 && extension_loaded('pdo_sqlite') ? 0 : 1);"],
    needs: 'PHP 8.1 or later with pdo_sqlite',
    readsFraming: false,
    command: (file, port) => ({ command: 'php', args: ['-S', `127.0.0.1:${port}`, file] }),
  },
  {
    file: 'receiver.py',
    probe: ['python3', '-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))'],
    needs: 'Python 3.9 or later',
    readsFraming: true,
    command: (file) => ({ command: 'python3', args: [file] }),
  },
];

const place = join(root, '.local', 'receivers');
const inPlace = (name: string) => join(place, name);
const signature = 'Sv7uGd0rQm3kYt5wLx9bNc2hFj4pZe8a';
const source = 'svc.local.online-payments';

const isThere = ({ probe: [command, ...args] }: Receiver): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Its address, once it answers. */
const startReceiver = async ({ file, command }: Receiver): Promise<string> => {
  const port = await freePortPair();
  const variables = {
    ...{ SIGNATURES: signature, SOURCE: source, DATABASE: inPlace(`${file}.db`), SHOW_STATE: '1' },
    ...{ PORT: String(port), PHP_CLI_SERVER_WORKERS: '8' },
  };
  const words = command(join(root, 'partner-kit/receivers', file), port);
  start({ ...words, env: { ...process.env, ...variables }, logFile: inPlace(`${file}.log`) });
  const url = `http://127.0.0.1:${port}`;
  await answering(url);
  return url;
};

const answering = async (url: string, tries = 100): Promise<unknown> =>
  fetch(url).catch(async (fault: unknown) => {
    if (tries === 0) throw fault;
    await pause(100);
    return answering(url, tries - 1);
  });

type Result = { name: string; verdict: string; seen: string };

const attack = async (url: string): Promise<Result[]> => {
  const command = join(root, 'partner-kit/bin/transactions-partner.ts');
  const state = `${url}/state/{uuid}`;
  const args = ['--no-warnings', command, 'attack', url, '--state', state, '--source', source, '--json'];
  const env = { ...process.env, PATH: path, TRANSACTIONS_WEBHOOK_SIGNATURE: signature };
  const logFile = inPlace('attack.log');
  // It exits with 1 if a rule is broken, and prints which one.
  await run({ command: 'node', args, env, logFile, timeoutSeconds: 120 }).catch(() => undefined);
  return JSON.parse(readFileSync(logFile, 'utf8')).results;
};

const proveReceiver = async (report: Report, receiver: Receiver) => {
  const url = await report.need(`${receiver.file} starts`, () => startReceiver(receiver));
  const results = await report.need(`${receiver.file} is attacked`, () => attack(url));
  for (const { name, verdict, seen } of results)
    await report.prove(`KIT-30 ${receiver.file}: ${name}`, async () => {
      if (verdict !== 'kept') throw new Error(`${verdict}: ${seen}`);
    });
  const answers = await answerRawRequests(Number(new URL(url).port), { signature, source }, receiver);
  for (const { name, fault } of answers)
    await report.prove(`KIT-30 ${receiver.file}: ${name}`, async () => {
      if (fault !== undefined) throw new Error(fault);
    });
};

const report = new Report();
rmSync(place, { recursive: true, force: true });
mkdirSync(place, { recursive: true });
const absent = receivers.filter((receiver) => !isThere(receiver));
try {
  for (const receiver of receivers.filter(isThere)) await proveReceiver(report, receiver);
} catch (fault) {
  report.abandon(String(fault));
} finally {
  await stopAll();
}
for (const { file, needs } of absent) console.log(`Not run: ${file}, which needs ${needs}`);
// Where no language is there, nothing was proven, and nothing failed.
if (absent.length < receivers.length && !report.close()) process.exitCode = 1;
