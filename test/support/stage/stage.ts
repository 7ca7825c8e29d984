import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackFile } from '../../../localstack/embedded/stack-file.ts';
import { root } from '../repository.ts';
import { freePortPair } from './free-port-pair.ts';

/** A machine with other work takes minutes over a synthesis and the demo data. */
const readyWithinMs = 240_000;

/** One run of `npm start`: what it says, and how it ends. */
export type StageRun = {
  child: ChildProcess;
  /** All standard output and standard error so far. */
  said: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
};

/** Starts the command itself, without waiting for anything. */
export const runStage = (args: string[], environment: Record<string, string> = {}): StageRun => {
  const child = spawn(process.execPath, ['localstack/start.mjs', ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (part) => parts.push(part));
  child.stderr.setEncoding('utf8').on('data', (part) => parts.push(part));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, said: () => parts.join(''), ended };
};

/** A stage of its own, in a temporary folder and on a free port: every fact about it that a test may need. */
export type TestStage = {
  baseUrl: string;
  authUrl: string;
  /** What the stage wrote about itself (RUN-2). */
  stack: StackFile;
  dataDir: string;
  /** Everything that it has printed. */
  said: () => string;
  /** kill -9: nothing is tidied up. */
  kill: () => Promise<void>;
  /** As Ctrl-C; removes the folder. */
  stop: () => Promise<void>;
  /** The same folder and port again, after `kill` or while it runs; a new description of it. */
  restart: (environment?: Record<string, string>) => Promise<TestStage>;
};

/** Without `demo` the stage is empty but for its keys, and starts in about a second. */
export const startStage = async ({
  demo = false,
  args = [],
  environment = {},
}: StartOptions = {}): Promise<TestStage> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stage-'));
  const PORT = String(await freePortPair());
  try {
    return await startIn(dataDir, { demo, args, environment: { PORT, ...environment } });
  } catch (error) {
    rmSync(dataDir, { recursive: true });
    throw error;
  }
};

type StartOptions = { demo?: boolean; args?: string[]; environment?: Record<string, string> };

const startIn = async (
  dataDir: string,
  { demo, args, environment }: Required<StartOptions>,
): Promise<TestStage> => {
  const run = runStage(['--data', dataDir, ...(demo ? [] : ['--no-demo']), ...args], environment);
  await ready(run);
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    run.child.kill(signal);
    await run.ended;
  };
  const stack: StackFile = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
  return {
    baseUrl: stack.baseUrl,
    authUrl: stack.authUrl,
    stack,
    dataDir,
    said: run.said,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGINT');
      rmSync(dataDir, { recursive: true });
    },
    restart: async (changed = {}) => {
      await end('SIGINT');
      return startIn(dataDir, { demo, args, environment: { ...environment, ...changed } });
    },
  };
};

/** Waits until it is so, but no longer than a start may take; answers whether it is. */
export const until = async (isSo: () => boolean): Promise<boolean> => {
  const end = Date.now() + readyWithinMs;
  while (!isSo() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return isSo();
};

/** Resolves when the stage says that it is ready; rejects with what it said when it ends or takes too long. */
export const ready = async (run: StageRun): Promise<void> => {
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  const isReady = () => run.said().includes('Ready after');
  await until(() => isOver || isReady());
  if (isOver || !isReady()) throw new Error(`The stage is not ready. It said:\n${run.said()}`);
};

/** Whether a process with this id runs; one that ended but was not yet collected by its parent does not. */
export const isRunning = (pid: number): boolean => {
  const status = `/proc/${pid}/stat`;
  if (existsSync('/proc/self/stat')) return existsSync(status) && !/\) Z /.test(readFileSync(status, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
