import { createWriteStream, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import type { CloudFunction } from '../cloudformation/model.ts';
import type { InvocationResult } from './worker.ts';

/** A function's answer as JSON, or its failure, worded for a sentence that begins with the function's name. */
export type InvocationOutcome = Outcome<
  string,
  'timed out' | `threw ${string}` | `ended its process with code ${string}`
>;
export type FunctionPool = {
  name: string;
  logFile: string;
  invoke: (event: unknown, requestId: string) => Promise<InvocationOutcome>;
  stop: () => Promise<void>;
};

export type PoolOptions = {
  variables: Record<string, string>;
  /** How far the stage's clock is ahead of the machine's. */
  ahead: SharedArrayBuffer;
  logFile: string;
  /** The most instances that run at a time; further events wait. */
  instances: number;
  /** The young generation of each instance's heap, in megabytes. */
  youngMb: number;
  /** How long an idle instance is kept; absent = as long as the stage runs. */
  keepIdleMs?: number;
  after?: After;
};

/** Runs the work after `ms`, unless the returned function cancels it before. */
type After = (work: () => void, ms: number) => () => void;

/** A function's instances. As on Lambda, each runs one event at a time, is kept for the next, and ends at a timeout. */
export const createFunctionPool = (cloudFunction: CloudFunction, options: PoolOptions): FunctionPool => {
  const log = createWriteStream(options.logFile);
  const all = new Set<Worker>();
  /** Idle instances, the longest idle first, each with a function that cancels its end. */
  const idle = new Map<Worker, () => void>();
  const waiting: (() => void)[] = [];

  const start = (): Worker => {
    const instance = startInstance(cloudFunction, options);
    instance.stdout.pipe(log, { end: false });
    instance.stderr.pipe(log, { end: false });
    instance.on('error', (error) => {
      log.write(`${inspect(error)}\n`);
      forget(instance);
    });
    instance.on('exit', () => forget(instance));
    all.add(instance);
    return instance;
  };

  const forget = (instance: Worker) => {
    all.delete(instance);
    wake(instance);
  };

  const wake = (instance: Worker) => {
    idle.get(instance)?.();
    idle.delete(instance);
  };

  const acquire = async (): Promise<Worker> => {
    // The last used one, so that surplus instances stay idle until they end.
    const free = [...idle.keys()].at(-1);
    if (free) {
      wake(free);
      return free;
    }
    if (all.size < options.instances) return start();
    await new Promise<void>((resolve) => waiting.push(resolve));
    return acquire();
  };

  const release = (instance: Worker) => {
    if (all.has(instance)) idle.set(instance, endLater(instance));
    waiting.shift()?.();
  };

  const endLater = (instance: Worker) => {
    const { keepIdleMs, after = byTimer } = options;
    if (keepIdleMs === undefined) return () => {};
    return after(() => {
      forget(instance);
      void instance.terminate();
    }, keepIdleMs);
  };

  const invoke = async (event: unknown, requestId: string): Promise<InvocationOutcome> => {
    const instance = await acquire();
    const outcome = await runOnce(instance, {
      event,
      requestId,
      timeoutMs: cloudFunction.timeoutSeconds * 1000,
    });
    if (!outcome.ok && outcome.reason === 'timed out') await instance.terminate();
    release(instance);
    return outcome;
  };

  const stop = async () => {
    await Promise.all([...all].map((instance) => instance.terminate()));
    log.end();
  };

  return { name: cloudFunction.name, logFile: options.logFile, invoke, stop };
};

const byTimer: After = (work, ms) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};

const startInstance = (
  { folder, handler, name }: CloudFunction,
  { variables, ahead, youngMb }: Pick<PoolOptions, 'variables' | 'ahead' | 'youngMb'>,
): Worker =>
  new Worker(workerProgram(), {
    workerData: { folder, handler, name, ahead },
    env: variables,
    stdout: true,
    stderr: true,
    // Small limits collect garbage early: several instances share the 400 MB of a stage.
    resourceLimits: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: 256 },
  });

let program: URL | undefined;

/** Removes the types once, since each thread would load Node's type stripper, which takes 10 MB. */
const workerProgram = (): URL => {
  program ??= new URL(`data:text/javascript,${encodeURIComponent(withoutTypes('worker.ts'))}`);
  return program;
};

const withoutTypes = (file: string): string => {
  const { emitWarning } = process;
  // Node runs this file by the same function, but warns at a direct call that it is experimental.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(join(import.meta.dirname, file), 'utf8'));
  } finally {
    process.emitWarning = emitWarning;
  }
};

type Run = { event: unknown; requestId: string; timeoutMs: number };

const runOnce = (instance: Worker, { event, requestId, timeoutMs }: Run): Promise<InvocationOutcome> => {
  const ended = new AbortController();
  return new Promise<InvocationOutcome>((resolve) => {
    const timer = setTimeout(() => resolve(refuse('timed out')), timeoutMs);
    const threw = (error: unknown) => resolve(refuse(`threw ${error}`));
    const left = (code: number) => resolve(refuse(`ended its process with code ${code}`));
    const answered = (result: InvocationResult) =>
      resolve(result.ok ? succeed(result.payload) : refuse(`threw ${result.message}`));
    instance.on('message', answered).on('error', threw).on('exit', left);
    ended.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      instance.off('message', answered).off('error', threw).off('exit', left);
    });
    instance.postMessage({ event: JSON.stringify(event), requestId, deadlineMs: Date.now() + timeoutMs });
  }).finally(() => ended.abort());
};
