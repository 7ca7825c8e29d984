import { join } from 'node:path';
import { region } from '../aws/names.ts';
import { createStageClock } from '../clock/stage-clock.ts';
import type { Cloud } from '../cloudformation/model.ts';
import type { Cause, Tell } from '../feed/happening.ts';
import { createFunctionPool, type FunctionPool, type PoolOptions } from './function-pool.ts';
import { withToldCalls } from './told-calls.ts';

export type Endpoints = Record<'dynamodb' | 'secretsmanager' | 'eventbridge' | 'sqs' | 'lambda', string>;

/** So many requests of one function run at the same time; the whole stage stays under 400 MB with it (RUN-1). */
const instancesOfApis = 2;
/** Many instances stay behind the APIs. */
const youngMbOfApis = 6;
/**
 * A flush has hundreds of requests under way. Where there is no room for all of them, what ends in a moment is kept as if it
 * stayed, and collecting that takes a quarter of the flush.
 */
const youngMbOfEvents = 24;

/** A pool for each function of the template, by logical id; each logs to a file of its own. */
export const createFunctions = (
  cloud: Pick<Cloud, 'functions' | Callers>,
  endpoints: Endpoints,
  logs: string,
  { tell = () => {}, ahead = createStageClock().shared }: { tell?: Tell; ahead?: SharedArrayBuffer } = {},
): Map<string, FunctionPool> =>
  new Map(
    cloud.functions.map((one) => {
      const pool = createFunctionPool(one, {
        variables: { ...environmentOf(one.name, endpoints), ...one.variables },
        ahead,
        logFile: join(logs, `${one.name}.log`),
        ...instancesOf(cloud, one.id),
      });
      return [one.id, withToldCalls(pool, tell, usualCauseOf(cloud, one.id))];
    }),
  );

/** The template has no caller of what other functions invoke. */
const usualCauseOf = (cloud: Pick<Cloud, Callers>, id: string): Cause =>
  callers.some(callersOf(cloud, id)) ? { by: 'schedule' } : { by: 'function' };

const callersOf = (cloud: Pick<Cloud, Callers>, id: string) => (kind: Callers) =>
  cloud[kind].some(({ functionId }) => functionId === id);

const callers = ['routes', 'schedules', 'eventSources', 'rotations', 'tasks'] as const;
type Callers = (typeof callers)[number];
type Instances = Pick<PoolOptions, 'instances' | 'youngMb' | 'keepIdleMs'>;

/**
 * Callers wait for the functions behind the APIs, so these stay. Events come in bursts, or every ten seconds, and the steps
 * of a rotation one after the other; a schedule comes seldom, and an idle instance would hold its memory until then. What
 * another function invokes stays for the next of a burst.
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
 * One for each batch that the event sources have under way at once, so that none waits while its time to be seen again runs.
 * Schedules have one of them: no caller waits.
 */
const instancesOfEvents = ({ eventSources }: Pick<Cloud, 'eventSources'>, id: string): number =>
  Math.max(
    1,
    eventSources
      .filter(({ functionId }) => functionId === id)
      .reduce((sum, source) => sum + (source.kind === 'queue' ? source.maximumConcurrency : 1), 0),
  );

/** What Lambda gives every function, with the endpoints of this machine. */
const environmentOf = (name: string, endpoints: Endpoints): Record<string, string> => ({
  TZ: ':UTC',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_LAMBDA_FUNCTION_NAME: name,
  // Each request to the engine then says in its User-Agent which function it is from.
  AWS_SDK_UA_APP_ID: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsmanager,
  AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventbridge,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
});
