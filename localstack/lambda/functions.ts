import { join } from 'node:path';
import { region } from '../aws/names.ts';
import { createStageClock } from '../clock/stage-clock.ts';
import type { Cloud } from '../cloudformation/model.ts';
import type { Tell } from '../feed/happening.ts';
import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import { withToldCalls } from './told-calls.ts';

export type Endpoints = Record<'dynamodb' | 'secretsmanager' | 'eventbridge' | 'sqs', string>;

/** So many requests of one function run at the same time; the whole stage stays under 400 MB with it (RUN-1). */
const instancesOfApis = 2;
/** No caller waits for functions behind events and schedules: their events come one after the other. */
const instancesOfEvents = 1;
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
      const keepIdleMs = keptIdleMs(cloud, one.id);
      const pool = createFunctionPool(one, {
        variables: { ...environmentOf(one.name, endpoints), ...one.variables },
        ahead,
        logFile: join(logs, `${one.name}.log`),
        ...(keepIdleMs === undefined
          ? { instances: instancesOfApis, youngMb: youngMbOfApis }
          : { instances: instancesOfEvents, youngMb: youngMbOfEvents, keepIdleMs }),
      });
      return [one.id, withToldCalls(pool, tell)];
    }),
  );

type Callers = 'schedules' | 'eventSources' | 'rotations' | 'tasks';

/**
 * Callers wait for the functions behind the APIs, so these stay. Events come in bursts, or every ten seconds, and the steps
 * of a rotation one after the other; a schedule comes seldom, and an idle instance would hold its memory until then.
 */
const keptIdleMs = (
  { schedules, eventSources, rotations, tasks }: Pick<Cloud, Callers>,
  id: string,
): number | undefined => {
  const isCalledBy = (callers: readonly { functionId: string }[]) =>
    callers.some(({ functionId }) => functionId === id);
  if (isCalledBy(eventSources)) return 30_000;
  if (isCalledBy(rotations)) return 1_000;
  return isCalledBy(schedules) || isCalledBy(tasks) ? 0 : undefined;
};

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
});
