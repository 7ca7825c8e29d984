import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { inspect } from 'node:util';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import {
  concurrencyOf,
  type FunctionName,
  functionNames,
  functions,
  region,
  reportVariables,
} from './wiring.ts';

/** The end of a call that has no result, worded for a sentence that begins with the function's name. */
type CallFailure = 'timed out' | `threw ${string}`;
/** A function's result as JSON. */
export type CallOutcome = Outcome<string, CallFailure>;
/** Calls a function with an event as Lambda does. */
export type Invoke = (name: FunctionName, event: unknown, requestId?: string) => Promise<CallOutcome>;

type Variables = Record<string, string>;

/** What runs at this moment: whose call it is, and what its function sees of the process. */
type Run = {
  name: FunctionName;
  variables: Variables;
  /** Takes what the function writes to standard output and standard error. */
  write: (line: string) => void;
  /** Set when the call is over: on Lambda nothing would go on after it. */
  isOver: boolean;
  /** Hears of work that goes on all the same. */
  onLateWork: (name: FunctionName, what: string) => void;
};

const running = new AsyncLocalStorage<Run>();

/** The listener does not run as the function, so that its lines are not the function's. */
const reportLate = ({ name, onLateWork }: Run, what: string) => running.exit(() => onLateWork(name, what));

/** On Lambda a rejection that nobody handles ends the instance. Here the others go on, and somebody is told whose it is. */
export const tellUnhandled = (tell: (whose: FunctionName | 'The stage', error: unknown) => void) => {
  process.on('unhandledRejection', (error) => {
    const whose = running.getStore()?.name ?? 'The stage';
    running.exit(() => tell(whose, error));
  });
};

/**
 * From now on a function sees its own variables in `process.env` and nothing else, and its lines go to its stage. Everything
 * else in the process goes on as before.
 */
const separate = () => {
  const variablesOf = (own: object): object => running.getStore()?.variables ?? own;
  process.env = new Proxy(process.env, {
    get: (own, name) => Reflect.get(variablesOf(own), name),
    has: (own, name) => Reflect.has(variablesOf(own), name),
    ownKeys: (own) => Reflect.ownKeys(variablesOf(own)),
    getOwnPropertyDescriptor: (own, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(variablesOf(own), name);
      return descriptor && { ...descriptor, configurable: true };
    },
    set: (own, name, value) => Reflect.set(variablesOf(own), name, value),
    deleteProperty: (own, name) => Reflect.deleteProperty(variablesOf(own), name),
  });
  for (const output of [process.stdout, process.stderr]) {
    const write = output.write.bind(output) as (...given: unknown[]) => boolean;
    output.write = (...given: unknown[]) => {
      const run = running.getStore();
      if (!run) return write(...given);
      run.write(String(given[0]));
      if (run.isOver) reportLate(run, String(given[0]));
      const done = given.at(-1);
      if (typeof done === 'function') done();
      return true;
    };
  }
  subscribe('http.client.request.created', (message) => {
    const run = running.getStore();
    const { request } = message as { request: ClientRequest };
    if (run?.isOver)
      reportLate(run, `${request.method} ${request.getHeader('x-amz-target') ?? request.path}`);
  });
};

let isSeparated = false;
let loaded = 0;

export type Handler = (event: unknown, context: object) => unknown;
type Instance = { run: Omit<Run, 'isOver'>; handler: Handler };

export type InstancesOptions = {
  /** The variables that the wiring gives to a function, beside Lambda's own. */
  variablesOf: (name: FunctionName) => Variables;
  endpoints: { dynamodb: string; aws: string };
  /** Takes each line that a function writes. */
  write: (name: FunctionName, line: string) => void;
  onLateWork: Run['onLateWork'];
  /** Loads the module of a function, anew for each copy. */
  importFunction?: (name: FunctionName, copy: number) => Promise<{ handler: Handler }>;
};

/** Loads the module of a function of the service. */
export const importOwn: NonNullable<InstancesOptions['importFunction']> = (name, copy) =>
  import(`../../functions/${name}/index.ts?instance=${copy}`);

/**
 * The functions, run as Lambda runs them: an instance handles one event at a time, is kept for the next, and is given up at a
 * timeout. Another instance is the function's module loaded once more, so what it caches is its own.
 */
export const createInstances = (options: InstancesOptions) => {
  const { variablesOf, endpoints, write, onLateWork, importFunction = importOwn } = options;
  if (!isSeparated) separate();
  isSeparated = true;

  const load = async (name: FunctionName, more: Variables = {}): Promise<Instance> => {
    const variables = { ...lambdaVariables(name, endpoints), ...variablesOf(name), ...more };
    const run = { name, variables, write: (line: string) => write(name, line), onLateWork };
    loaded += 1;
    const { handler } = await running.run({ ...run, isOver: false }, () => importFunction(name, loaded));
    return { run, handler };
  };

  const callOn = async (instance: Instance, event: unknown, requestId: string): Promise<CallOutcome> => {
    const timeoutMs = functions[instance.run.name].timeoutSeconds * 1000;
    const endMs = performance.now() + timeoutMs;
    const context = contextOf(instance.run.name, requestId, () => Math.max(0, endMs - performance.now()));
    const run: Run = { ...instance.run, isOver: false };
    const { promise: late, resolve } = Promise.withResolvers<CallOutcome>();
    const timer = setTimeout(() => resolve(refuse('timed out')), timeoutMs).unref();
    // Events and results pass as text, as between processes.
    const answer = async (): Promise<CallOutcome> => {
      try {
        const result = await instance.handler(JSON.parse(JSON.stringify(event)), context);
        return succeed(JSON.stringify(result ?? null));
      } catch (error) {
        // Not by `console`, which tests replace.
        run.write(`${inspect(error)}\n`);
        return refuse(`threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
      }
    };
    try {
      return await Promise.race([running.run(run, answer), late]);
    } finally {
      clearTimeout(timer);
      run.isOver = true;
    }
  };

  let calls = 0;
  const pools = new Map(
    functionNames.map((name) => [name, createPool(() => load(name), concurrencyOf(name))]),
  );

  const invoke: Invoke = async (name, event, requestId = crypto.randomUUID()) => {
    const pool = pools.get(name);
    if (!pool) throw new Error(`There is no function ${name}.`);
    calls += 1;
    try {
      const instance = await pool.acquire();
      const outcome = await callOn(instance, event, requestId);
      pool.release(!outcome.ok && outcome.reason === 'timed out' ? undefined : instance);
      return outcome;
    } finally {
      calls -= 1;
    }
  };

  return {
    invoke,
    /** Calls that run or wait for an instance. */
    calls: () => calls,
    /** Loads one instance of each function, so that the first call of each does not wait for it. */
    warm: () => Promise.all([...pools.values()].map((pool) => pool.warm())),
    /** An instance of its own, with other variables than the wiring's. */
    start: async (name: FunctionName, more: Variables = {}) => {
      const instance = await load(name, more);
      return (event: unknown, requestId: string = crypto.randomUUID()) => callOn(instance, event, requestId);
    },
  };
};

/** At most `most` instances; a call waits for one in the order of arrival. */
const createPool = (load: () => Promise<Instance>, most: number) => {
  const idle: Instance[] = [];
  const waiting: (() => void)[] = [];
  let count = 0;

  const acquire = async (): Promise<Instance> => {
    // The last used one, whose caches are the freshest.
    const free = idle.pop();
    if (free) return free;
    if (count < most) {
      count += 1;
      return load().catch((error) => {
        release(undefined);
        throw error;
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
    return acquire();
  };

  /** Without an instance: it was given up. */
  const release = (instance: Instance | undefined) => {
    if (instance) idle.push(instance);
    else count -= 1;
    waiting.shift()?.();
  };

  return { acquire, release, warm: async () => release(await acquire()) };
};

const contextOf = (name: FunctionName, requestId: string, getRemainingTimeInMillis: () => number) => ({
  awsRequestId: requestId,
  functionName: name,
  functionVersion: '$LATEST',
  memoryLimitInMB: '1024',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis,
});

/** The variables that Lambda sets for every function, with the endpoints of this machine. */
const lambdaVariables = (
  name: FunctionName,
  { dynamodb, aws }: InstancesOptions['endpoints'],
): Variables => ({
  TZ: ':UTC',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  ...reportVariables,
  // The SDK puts it into the User-Agent, so that requests to the engine name their function.
  AWS_SDK_UA_APP_ID: name,
  AWS_ENDPOINT_URL: aws,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
});
