import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll } from '@jest/globals';
import { builtDocs } from '../../../lib/built-docs.ts';
import type { Attempt } from '../../../localstack/embedded/aws/delivery.ts';
import { callerOf } from '../../../localstack/embedded/aws/protocol.ts';
import { openClock } from '../../../localstack/embedded/clock.ts';
import { makeSite } from '../../../localstack/embedded/documents.ts';
import { type Engine, startDynoxide } from '../../../localstack/embedded/engine.ts';
import { writePrivateJson } from '../../../localstack/embedded/folder.ts';
import { freePort } from '../../../localstack/embedded/free-port.ts';
import { type Handler, importOwn } from '../../../localstack/embedded/instances.ts';
import { openLoopback } from '../../../localstack/embedded/loopback.ts';
import { operatorAccess } from '../../../localstack/embedded/stack-file.ts';
import { openStage as openEmbedded } from '../../../localstack/embedded/stage.ts';
import { openState } from '../../../localstack/embedded/state.ts';
import type { FunctionName } from '../../../localstack/embedded/wiring.ts';
import { describedFetch } from '../openapi/described-fetch.ts';
import { type Asked, askedOf } from '../rights/asked.ts';
import { passOn } from '../rights/recorder.ts';

/** A request of a function to AWS: its operation, such as `DynamoDB_20120810.PutItem`, and its input. */
type AwsCall = { caller: string; target: string; input: Record<string, unknown> };
/** The refusal by AWS's name in place of the service's answer, or undefined. */
type Fault = (call: AwsCall) => string | undefined;

/** A line of the log, or figures in the embedded metric format. */
type Line = Record<string, unknown> & { code?: string; service?: string; _aws?: unknown };

export type StageTimes = {
  dormancySeconds?: number;
  tickSeconds?: number;
  /** Functions that a test writes, in place of the service's. */
  handlers?: Partial<Record<FunctionName, Handler>>;
  /** Serves the built documents. */
  documents?: boolean;
};

// One engine for all stages of a process: each has tables of its own. It has a file, since memory has no index for streams.
let engine: Promise<Engine & { dbPath: string }> | undefined;
let opened = 0;
/** The stages of the present file, those too whose opening or test failed. */
const stages = new Set<Promise<{ close: () => Promise<void> }>>();
// The secrets of the first stage, for the others: to make keys takes up to half a second.
let madeSecrets: { name: string }[] = [];

const sharedEngine = () => {
  engine ??= (async () => {
    const dbPath = join(mkdtempSync(join(tmpdir(), 'engine-')), 'tables.db');
    return { ...(await startDynoxide({ dbPath })), dbPath };
  })();
  return engine;
};

/**
 * The service on the embedded stage, for service tests: every function by its `index.ts`, over a real engine and real HTTP. Time
 * stands under the test's control: `passTime` moves it, and resolves when all that is due then is done.
 */
export const openStage = (times: StageTimes = {}) => {
  const opening = open(times);
  stages.add(opening);
  return opening;
};

const open = async ({
  dormancySeconds = 120,
  tickSeconds = 10,
  handlers = {},
  documents = false,
}: StageTimes) => {
  opened += 1;
  const { endpoint } = await sharedEngine();
  const dataDir = mkdtempSync(join(tmpdir(), 'stage-'));
  const state = openState(join(dataDir, 'state.db'));
  const secrets = state.records<{ name: string }>('secret');
  for (const secret of madeSecrets) secrets.put(secret.name, secret);
  if (documents) makeSite(join(dataDir, 'site'), builtDocs());
  const clock = openClock();
  const lines: { name: string; line: string }[] = [];
  const attempts: Attempt[] = [];
  const calls: AwsCall[] = [];
  const warnings: string[] = [];
  const late: string[] = [];
  let fault: Fault = () => undefined;
  let isClosed = false;

  const front = await openLoopback(async (request, response) => {
    const body = await buffer(request);
    const call = noted(request, JSON.parse(body.toString()));
    const refused = fault(call);
    if (refused) refuse(response, refused);
    else {
      const answer = await passOn(endpoint, request, body).catch(() => undefined);
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
      else response.destroy();
    }
  });
  const noted = (request: IncomingMessage, input: Record<string, unknown>): AwsCall => {
    const call = {
      caller: callerOf(request) ?? 'the stage',
      target: String(request.headers['x-amz-target']),
      input,
    };
    calls.push(call);
    return call;
  };

  const stage = await openEmbedded({
    port: await freePort(),
    engine: { endpoint: front.url },
    tablePrefix: `stage-${opened}-`,
    ...{ state, clock, dormancySeconds, tickSeconds, patienceMs: 10_000 },
    siteIn: dataDir,
    importFunction: async (name, copy) => {
      const handler = handlers[name];
      return handler ? { handler } : importOwn(name, copy);
    },
    write: (name, line) => void lines.push({ name, line }),
    warn: (sentence) => void warnings.push(sentence),
    onLateWork: (name, what) => void late.push(`${name}: ${what}`),
    onAttempt: (attempt) => void attempts.push(attempt),
  });
  madeSecrets = secrets.list();
  stage.aws.interfere(({ target, input, caller = 'the stage' }) => {
    const call = { caller, target, input: input as Record<string, unknown> };
    calls.push(call);
    const refused = fault(call);
    return refused ? { status: 400, body: { __type: refused, message: 'refused by a test' } } : undefined;
  });

  const operator = operatorAccess(stage.variables, { dynamodb: endpoint, aws: stage.aws.url });
  const addresses = { baseUrl: stage.baseUrl, authUrl: stage.baseUrl };
  const describe = (aheadMs: number) =>
    writePrivateJson(join(dataDir, 'stack.json'), { ...addresses, operator, clock: { aheadMs } });
  describe(0);
  clock.onMove((byMs) => describe(clock.aheadMs() + byMs));

  const passTime = async (ms: number) => {
    await stage.settled();
    clock.moveOn(ms);
    await stage.settled();
  };
  const parsed = () => lines.flatMap(({ line }) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
  return {
    ...addresses,
    /** A folder for files of the test, with `stack.json` for programs. */
    dataDir,
    stack: { operator },
    variables: stage.variables,
    endpoints: { dynamodb: endpoint, aws: stage.aws.url },
    invoke: stage.invoke,
    /** An instance of its own of a function, with other variables than the wiring's. */
    start: stage.start,
    /** A request to the stage's APIs. It and its answer are compared with the description (OA-3), but no stand-in's answer is. */
    ask: (method: string, path: string, init: RequestInit = {}) => {
      const send = Object.keys(handlers).length > 0 ? fetch : describedFetch;
      return send(`${stage.baseUrl}${path}`, { method, redirect: 'manual', ...init });
    },
    /** Moves the clock on, and resolves when all that is due then is done. */
    passTime,
    /** Polls, one by one: one finds a pass, its worker makes rows due, and the next one sends them. */
    passPolls: async () => {
      for (const _ of [1, 2, 3]) await passTime(tickSeconds * 1000);
    },
    /** Time passes, five seconds at once, until the work is done: a command that waits for the service. */
    passTimeDuring: async <Result>(work: Promise<Result>): Promise<Result> => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      while (!isOver) await passTime(5_000);
      return over;
    },
    settled: stage.settled,
    /** All attempts of the bus to send an event. */
    sent: () => attempts,
    /** From now on functions' requests to AWS meet these faults; without an argument none. */
    fault: (by: Fault = () => undefined) => {
      fault = by;
    },
    /** Requests of functions to AWS since the stage was opened. */
    calls: () => calls,
    /** What a function asked of the tables, as IAM judges it. */
    askedBy: (name: FunctionName): Asked[] =>
      calls
        .filter(({ caller, target }) => caller === name && target.startsWith('DynamoDB_'))
        .flatMap(({ target, input }) => askedOf(target, Buffer.from(JSON.stringify(input)))),
    /** Lines of the log with this code. */
    logged: (code: string) => parsed().filter((line) => line.code === code),
    /** Figures that were reported. */
    reported: () => parsed().filter(({ _aws }) => _aws),
    /** All that functions wrote. */
    written: () => lines.map(({ line }) => line).join(''),
    warnings: () => warnings,
    /** Ends the stage; throws if work of a function went on after its answer. */
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await stage.stop();
      await front.stop();
      clock.close();
      state.close();
      rmSync(dataDir, { recursive: true });
      // On Lambda it would stop, or go on in a later call.
      if (late.length > 0) throw new Error(`Functions went on after their answers:\n${late.join('\n')}`);
    },
  };
};

export type ServiceStage = Awaited<ReturnType<typeof openStage>>;

const refuse = (response: ServerResponse, name: string) =>
  response
    .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: name, message: 'refused by a test' }));

/** After the last test of a file, ends its stages that still run, and the engine: another file must not meet them. */
export const endEngineAfterFile = () =>
  afterAll(async () => {
    await Promise.allSettled([...stages].map(async (opening) => (await opening).close()));
    stages.clear();
    const started = await engine;
    engine = undefined;
    await started?.stop();
    if (started) rmSync(join(started.dbPath, '..'), { recursive: true });
  });
