import { type TableId, tableIds } from '../../lib/tables.ts';
import { busOperations, busRecords } from './aws/bus.ts';
import { type Attempt, openDeliveries } from './aws/delivery.ts';
import { invokeOperations, openAws } from './aws/protocol.ts';
import { queueOperations } from './aws/queue-operations.ts';
import { openQueues } from './aws/queues.ts';
import { openSecrets } from './aws/secrets.ts';
import type { StageClock } from './clock.ts';
import { createMissingTables } from './engine.ts';
import { type GatewayOptions, openGateway } from './gateway.ts';
import { createInstances, type InstancesOptions } from './instances.ts';
import { serveQueues, startSchedules } from './sources.ts';
import type { State } from './state.ts';
import { serveStream } from './stream.ts';
import { type FunctionName, functions, variablesAt } from './wiring.ts';

export type StageOptions = Pick<InstancesOptions, 'write' | 'onLateWork' | 'importFunction'> &
  Pick<GatewayOptions, 'port' | 'beside' | 'warn'> & {
    /** The DynamoDB engine, with its file if the stage started it. */
    engine: { endpoint: string; dbPath?: string | undefined };
    /** Begins the names of the tables, as the name of a stack does, so that stages can share an engine. */
    tablePrefix?: string;
    state: State;
    clock: StageClock;
    dormancySeconds: number;
    tickSeconds: number;
    /** Hears of each attempt of the bus to send an event. */
    onAttempt: (attempt: Attempt) => Promise<void> | void;
    /** How long the end of the stage waits for calls that run. */
    patienceMs?: number;
    /** The folder that has the site of the documents as `site`. */
    siteIn?: string;
  };

/**
 * The service in this process: its functions as they are, called as the wiring says, over an engine of DynamoDB and the parts of
 * AWS that they use. What fails on the way stops what had started.
 */
export const openStage = async (options: StageOptions) => {
  const { engine, tablePrefix = '', state, clock, dormancySeconds, tickSeconds, warn } = options;
  const { patienceMs = 1_000 } = options;
  const stopping = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  let calls = () => 0;
  /** Calls that run may end, but nobody waits for one that hangs. */
  const ended = async () => {
    const lastMs = performance.now() + patienceMs;
    while (calls() > 0 && performance.now() < lastMs) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const stop = async () => {
    stopping.abort();
    await ended();
    for (const stopPart of stops.splice(0).toReversed()) await stopPart();
  };
  try {
    const tableNames = Object.fromEntries(tableIds.map((id) => [id, `${tablePrefix}${id}`])) as Record<
      TableId,
      string
    >;
    const createdTables = await createMissingTables(engine.endpoint, tableNames);
    const aws = await openAws();
    stops.push(aws.stop);
    const queues = openQueues(state);
    clock.onMove(queues.makeYounger);
    const secrets = openSecrets(state, warn);
    const records = busRecords(state);
    const deliveries = openDeliveries({ state, records, queues, onAttempt: options.onAttempt });
    stops.push(deliveries.stop, secrets.stop);

    const baseUrl = `http://127.0.0.1:${options.port}`;
    const variables = variablesAt({ baseUrl, awsUrl: aws.url, tableNames, dormancySeconds, tickSeconds });
    const variablesOf = (name: FunctionName) => ({
      ...Object.fromEntries(functions[name].variables.map((variable) => [variable, variables[variable]])),
      // As on Lambda, where the site is beside the bundle.
      ...(name === 'serve-docs' && options.siteIn && { LAMBDA_TASK_ROOT: options.siteIn }),
    });
    const endpoints = { dynamodb: engine.endpoint, aws: aws.url };
    const { write, onLateWork, importFunction } = options;
    const instances = createInstances({
      ...{ variablesOf, endpoints, write, onLateWork },
      ...(importFunction && { importFunction }),
    });
    const { invoke } = instances;
    calls = instances.calls;
    secrets.rotateBy(invoke);
    aws.serve({
      ...queueOperations(queues, aws.url),
      ...busOperations(state, records, deliveries),
      ...secrets.operations,
      ...invokeOperations(invoke),
    });
    // As the custom resource does at each deployment.
    const keys = await invoke('rotate-keys', { RequestType: 'Create' });
    if (!keys.ok) throw new Error(`The keys could not be made: rotate-keys ${keys.reason}.`);
    await instances.warm();
    const { port, beside } = options;
    const gateway = await openGateway({ port, invoke, warn, ...(beside && { beside }) });
    stops.push(gateway.stop);
    const sources = { invoke, clock, warn, stopping: stopping.signal };
    const stream = await serveStream({
      ...{ ...sources, queues, state, endpoint: engine.endpoint, dbPath: engine.dbPath },
      table: tableNames.Transactions,
    });
    serveQueues(queues, sources);
    startSchedules(sources, { hasEarlierData: createdTables.length < tableIds.length });
    /** Whether a message or an event waits to be handled now, or something runs. */
    const isBusy = () =>
      instances.calls() > 0 ||
      secrets.isRotating() ||
      deliveries.isSending() ||
      (deliveries.nextDueMs() ?? Number.POSITIVE_INFINITY) <= Date.now() ||
      queues.isAnyVisible();
    return {
      ...{ baseUrl, aws, variables, createdTables, tableNames, clock, queues, invoke },
      /** Resolves when all that is due by the present time is done: changes, messages, events, rotations. */
      settled: async () => {
        do {
          await stream.caughtUp();
          while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 5));
          await stream.caughtUp();
        } while (isBusy());
      },
      /** An instance of its own, with other variables than the wiring's. */
      start: instances.start,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
