import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * An instance of a function in a thread: loads the bundle and answers one event after the other, as on Lambda. Variables and
 * output belong to this thread alone.
 */
type Invocation = { event: string; requestId: string; deadlineMs: number };
export type InvocationResult = { ok: true; payload: string } | { ok: false; message: string };

type WorkerData = { folder: string; handler: string; name: string; ahead: SharedArrayBuffer };
type Handler = (event: unknown, context: unknown) => unknown;
const { folder, handler, name, ahead } = workerData as WorkerData;
/** The machine's time, for timeouts, which moves of the stage's clock must not change. */
const machineNow = Date.now;

/**
 * Replaces `Date` in this thread, so that an unchanged bundle has the stage's time, which may be ahead of the machine's
 * (RUN-12). Must run before the bundle is loaded.
 */
const shiftDate = () => {
  const aheadMs = new BigInt64Array(ahead);
  const now = () => machineNow() + Number(Atomics.load(aheadMs, 0));
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
    apply: () => new Date(now()).toString(),
    get: (date, member) => (member === 'now' ? now : Reflect.get(date, member)),
  });
};

const loadHandler = async (): Promise<Handler> => {
  const [module = '', exported = ''] = handler.split('.');
  const file = readdirSync(folder).find((entry) =>
    [`${module}.mjs`, `${module}.js`, `${module}.cjs`].includes(entry),
  );
  const loaded = await import(pathToFileURL(join(folder, file ?? module)).href);
  const found = loaded[exported] ?? loaded.default?.[exported];
  if (typeof found !== 'function') throw new Error(`${handler} is not exported`);
  return found;
};

const contextOf = ({ requestId, deadlineMs }: Invocation) => ({
  awsRequestId: requestId,
  functionName: name,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, deadlineMs - machineNow()),
});

shiftDate();
const loading = loadHandler();
// The first invocation reports the error. Until then it must not end the thread.
loading.catch(() => {});

const answer = async (invocation: Invocation): Promise<InvocationResult> => {
  try {
    const result = await (await loading)(JSON.parse(invocation.event), contextOf(invocation));
    return { ok: true, payload: JSON.stringify(result ?? null) };
  } catch (error) {
    console.error(error);
    return { ok: false, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};

parentPort?.on('message', async (invocation: Invocation) =>
  parentPort?.postMessage(await answer(invocation)),
);
