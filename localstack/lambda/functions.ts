import { join } from 'node:path';
import { region } from '../aws/names.ts';
import { createStageClock } from '../clock/stage-clock.ts';
import type { Cloud } from '../cloudformation/model.ts';
import type { Cause, Emit } from '../feed/happening.ts';
import { createFunctionPool, type FunctionPool, type PoolOptions } from './function-pool.ts';
import { withReportedCalls } from './reported-calls.ts';

export type Endpoints = Record<'dynamodb' | 'secretsmanager' | 'eventbridge' | 'sqs' | 'lambda', string>;

/** Concurrent requests of one function. With two, the stage stays under 400 MB (RUN-1). */
const instancesOfApis = 2;
/** Small, since many instances of API functions are kept. */
const youngMbOfApis = 6;
/**
 * A flush has hundreds of concurrent requests. In a smaller young generation, their short-lived objects move to the old one,
 * whose collection takes a quarter of the flush.
 */
const youngMbOfEvents = 24;

/** A pool for each function of the template, by logical id; each logs to a file of its own. */
export const createFunctions = (
  cloud: Pick<Cloud, 'functions' | Callers>,
  endpoints: Endpoints,
  logs: string,
  { emit = () => {}, ahead = createStageClock().shared }: { emit?: Emit; ahead?: SharedArrayBuffer } = {},
): Map<string, FunctionPool> =>
  new Map(
    cloud.functions.map((cloudFunction) => {
      const { id, name, variables } = cloudFunction;
      const pool = createFunctionPool(cloudFunction, {
        variables: { ...environmentOf(name, endpoints), ...variables },
        ahead,
        logFile: join(logs, `${name}.log`),
        ...instancesOf(cloud, id),
      });
      return [id, withReportedCalls(pool, emit, usualCauseOf(cloud, id))];
    }),
  );

/** A function without a caller in the template is invoked by another function. */
const usualCauseOf = (cloud: Pick<Cloud, Callers>, id: string): Cause =>
  callers.some(callersOf(cloud, id)) ? { by: 'schedule' } : { by: 'function' };

const callersOf = (cloud: Pick<Cloud, Callers>, id: string) => (kind: Callers) =>
  cloud[kind].some(({ functionId }) => functionId === id);

const callers = ['routes', 'schedules', 'eventSources', 'rotations', 'tasks'] as const;
type Callers = (typeof callers)[number];
type Instances = Pick<PoolOptions, 'instances' | 'youngMb' | 'keepIdleMs'>;

/**
 * Instances of API functions stay, since callers wait for them. Those of event sources stay for the next event of a burst or
 * the next tick, those of rotations for the next step, and those that other functions invoke for the next call of a burst. An
 * instance of a schedule would hold its memory until the next run, so it ends.
 */
export const instancesOf = (cloud: Pick<Cloud, Callers>, id: string): Instances => {
  const isCalledBy = callersOf(cloud, id);
  const ofEvents = { instances: instancesOfEvents(cloud, id), youngMb: youngMbOfEvents };
  const ofCallers = { instances: instancesOfApis, youngMb: youngMbOfApis };
  if (isCalledBy('eventSources')) return { ...ofEvents, keepIdleMs: 30_000 };
  if (isCalledBy('rotations')) return { ...ofEvents, keepIdleMs: 1_000 };
  if (isCalledBy('schedules') || isCalledBy('tasks')) return { ...ofEvents, keepIdleMs: 0 };
  return isCalledBy('routes') ? ofCallers : { ...ofCallers, keepIdleMs: 30_000 };
};

/**
 * One instance for each concurrent batch of the event sources, so that none waits while its visibility timeout runs. Schedules
 * share one, since no caller waits.
 */
const instancesOfEvents = ({ eventSources }: Pick<Cloud, 'eventSources'>, id: string): number =>
  Math.max(
    1,
    eventSources
      .filter(({ functionId }) => functionId === id)
      .reduce((sum, source) => sum + (source.kind === 'queue' ? source.maximumConcurrency : 1), 0),
  );

/** The variables that Lambda sets for every function, with the endpoints of this machine. */
const environmentOf = (name: string, endpoints: Endpoints): Record<string, string> => ({
  TZ: ':UTC',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_LAMBDA_FUNCTION_NAME: name,
  // The SDK puts it into the User-Agent, so that requests to the engine name their function.
  AWS_SDK_UA_APP_ID: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsmanager,
  AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventbridge,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
});
