import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { read } from '../apis/v2-read.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { startFunction, startPlace } from '../engine/start-place.ts';
import { startAws } from './aws.ts';

/** When tests with a held clock begin. */
export const heldAtMs = Date.parse('2026-03-01T12:00:00Z');

/** Only the date is held: the engine and the network go on. */
const realTimers = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** A line of the log, or figures in the embedded metric format. */
type Line = Record<string, unknown> & { code?: string; _aws?: unknown };

type HttpHandler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Functions as Lambda starts them, for the tests of a file: by their `index.ts`, over the engine, a recorded AWS and a clock that is
 * held. What they log and report is kept.
 */
export const useFunctions = (variables: Record<string, string> = {}) => {
  let place: Awaited<ReturnType<typeof startPlace>>;
  let aws: Awaited<ReturnType<typeof startAws>>;
  const written: string[] = [];

  beforeAll(async () => {
    jest.useFakeTimers({ now: heldAtMs, doNotFake: realTimers });
    place = await startPlace();
    aws = await startAws(place.engine.endpoint);
    Object.assign(process.env, place.environment, variablesAt(aws.endpoint), variables);
    const keep = (line: unknown) => written.push(String(line)) > 0;
    jest.spyOn(process.stdout, 'write').mockImplementation(keep);
    jest.spyOn(process.stderr, 'write').mockImplementation(keep);
  }, 180_000);
  afterAll(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    await aws.stop();
    await place.stop();
  });

  let looked = 0;
  beforeEach(() => {
    looked = written.length;
  });
  const lines = () =>
    written.slice(looked).flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
  return {
    get place() {
      return place;
    },
    get aws() {
      return aws;
    },
    get documents() {
      return place.engine.documents;
    },
    /** Runs the function's `index.ts` anew. */
    start: (name: string, more: Record<string, string> = {}) => {
      Object.assign(process.env, more);
      return startFunction(name);
    },
    /** Lines of the log with this code since the test began. */
    logged: (code: string) => lines().filter((line) => line.code === code),
    /** Figures that were reported since the test began. */
    reported: () =>
      lines()
        .filter(({ _aws }) => _aws)
        .map(figuresOf),
    /** All that was written since the file began. */
    written: () => written.join(''),
    /** Moves the time forward by this many seconds. */
    pass: (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000),
  };
};

export type UsedFunctions = ReturnType<typeof useFunctions>;

/** Metrics and dimensions, without what the format says of them. */
const figuresOf = ({ _aws, ...figures }: Line) => figures;

/** Answers to requests of the gateway, with their bodies read. */
export const askingOf =
  (handler: HttpHandler) =>
  async (target: string, ask: Ask = {}) =>
    read(await handler(httpEvent(target, ask), { awsRequestId: 'invocation-1' } as Context));

/** All items of a table. */
export const itemsOf = async ({ documents }: Pick<UsedFunctions, 'documents'>, TableName: string) =>
  (await documents.send(new ScanCommand({ TableName }))).Items ?? [];

export { sending } from '../builders/http-event.ts';

const variablesAt = (endpoint: string): Record<string, string> => ({
  ...{ PUBLISH_QUEUE: `${endpoint}/publish`, ENDPOINT_QUEUE: `${endpoint}/endpoints` },
  SHARD_QUEUE: `${endpoint}/shards.fifo`,
  ...{ AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_SQS: endpoint },
  ...{ AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint },
  ...{ DORMANCY_SECONDS: '120', TICK_SECONDS: '10', EVENT_BUS: 'bus' },
  ...{ POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_METRICS_NAMESPACE: 'transactions' },
});
