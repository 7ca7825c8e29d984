import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../functions/shared/runtime/clock.ts';
import { createDeliveryLogStore } from '../functions/shared/store/debounce/delivery-log.ts';
import { createDocumentClient } from '../functions/shared/store/dynamodb/client.ts';
import { openApis } from './apigateway/server.ts';
import { region } from './aws/names.ts';
import { openKeptClock } from './clock/kept-clock.ts';
import { prepareAssembly } from './cloudformation/assembly.ts';
import { readCloud } from './cloudformation/cloud.ts';
import type { Cloud } from './cloudformation/model.ts';
import type { HandleConsole } from './console/console.ts';
import { isLinkToConsole } from './console/guard.ts';
import { startConsole } from './console/start-console.ts';
import {
  checkDataVersion,
  closeDataFolder,
  type DataFolder,
  openDataFolder,
  refuseUsedFolder,
} from './data/data-folder.ts';
import { writePrivateJson } from './data/private-json.ts';
import { startDemo } from './demo/start-demo.ts';
import { startGuardedEngine } from './dynamodb/engine-door.ts';
import { createMissingTables } from './dynamodb/tables.ts';
import { recordInDeliveryLog } from './eventbridge/delivery/logged-attempts.ts';
import { createFeed } from './feed/feed.ts';
import { refuseTakenPorts } from './free-port.ts';
import { runTask } from './lambda/custom-resource.ts';
import { startEventSources } from './lambda/event-sources.ts';
import { createFunctions } from './lambda/functions.ts';
import { startInvokeServer } from './lambda/invoke-server.ts';
import { startSchedules } from './lambda/schedules.ts';
import { openMessaging } from './messaging.ts';
import type { StageOptions } from './options.ts';
import { startSecretsServer } from './secretsmanager/server.ts';
import { operatorVariables, type StackFile } from './stack-file.ts';
import { createConditions } from './webhook-receiver/condition.ts';

export type LocalStage = { stack: StackFile; folder: DataFolder; stop: () => Promise<void> };
export type Say = (line: string) => void;

const root = join(import.meta.dirname, '..');
/** Shared by all stages of this checkout. */
const assemblies = join(root, '.local', 'assembly');
/** The address in the local templates. */
const usualAddress = 'http://127.0.0.1:8787';

/**
 * Starts the whole service on this machine (RUN-1): the engine with the tables, the secrets, the functions that the templates
 * declare, and both APIs. If a step fails, it stops what it had started.
 */
export const startStage = async (options: StageOptions, say: Say): Promise<LocalStage> => {
  await refuseUsedFolder(options.dataFolder);
  await refuseTakenPorts(options);
  const folder = await openDataFolder(options.dataFolder, options);
  const stops: (() => Promise<void>)[] = [async () => closeDataFolder(folder)];
  const stop = async () => {
    for (const stopPart of stops.splice(0).toReversed()) await stopPart();
  };
  try {
    const stack = await startParts(options, { folder, say, stops });
    return { stack, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

type Parts = { folder: DataFolder; say: Say; stops: (() => Promise<void>)[] };

const startParts = async (
  { port, demo, eventTimes }: StageOptions,
  { folder, say, stops }: Parts,
): Promise<StackFile> => {
  const clock = openKeptClock(folder.clock);
  const feed = createFeed(clock.now);
  const conditions = createConditions();
  let handleConsole: HandleConsole = () => false;
  const baseUrl = `http://127.0.0.1:${port}`;
  const assembly = await prepareAssembly({ root, cache: assemblies, eventTimes }, say);
  const messaging = await openMessaging(folder.events);
  stops.push(messaging.stop);
  const cloud = readCloud(assembly, { [usualAddress]: baseUrl }, messaging.endpoints.sqs);
  checkDataVersion(folder, cloud.tables);

  say('Starting the DynamoDB engine …');
  const dbPath = join(folder.tables, 'dynoxide.db');
  const engine = await startGuardedEngine(dbPath);
  stops.push(engine.stop);
  const created = await createMissingTables(engine.endpoint, cloud.tables);
  if (created.length > 0) say(`Created the tables ${created.join(', ')}.`);

  const secrets = await startSecretsServer(folder.secrets, cloud.secrets, clock.now);
  stops.push(secrets.stop);
  const documents = documentsAt(engine.endpoint);
  const { queues, stop: stopBus } = messaging.serve(cloud, {
    logs: folder.logs,
    recordAttempt: recordInDeliveryLog(deliveryLogOf(cloud, documents, clock.now)),
    ...{ emit: feed.emit, clock },
  });
  stops.push(stopBus);
  const invokes = await startInvokeServer();
  stops.push(invokes.stop);
  const endpoints = {
    dynamodb: engine.endpoint,
    secretsmanager: secrets.endpoint,
    ...messaging.endpoints,
    lambda: invokes.endpoint,
  };
  say('Starting the functions and the API server …');
  const functions = createFunctions(cloud, endpoints, folder.logs, { emit: feed.emit, ahead: clock.shared });
  for (const pool of functions.values()) stops.push(pool.stop);
  invokes.serve(functions);
  secrets.rotateBy({ rotations: cloud.rotations, functions, warn: say });
  await runTasks(cloud, functions);
  const apis = await openApis(port, {
    ...{ cloud, functions, warn: say, now: clock.now },
    other: { handle: (...request) => handleConsole(...request), admits: isLinkToConsole },
  });
  stops.push(apis.stop);

  let stack: StackFile = {
    baseUrl,
    authUrl: baseUrl,
    partners: [],
    storefronts: [],
    clock: { aheadMs: clock.aheadMs() },
    operator: {
      endpoints: { ...endpoints, dynamodb: engine.publicEndpoint },
      variables: operatorVariables(cloud),
    },
    processes: { stage: process.pid, engine: engine.pid },
  };
  const startReceiver = () =>
    startDemo({
      ...{ root, port: port + 1, folder, conditionOf: conditions.of, clock: clock.now },
      say: (line) => {
        say(line);
        feed.emit({ kind: 'received', line });
      },
    });
  const receiver = demo ? await startReceiver() : undefined;
  if (receiver) stops.push(receiver.stop);
  const sources = await startEventSources(cloud.eventSources, {
    functions,
    queues,
    engine: { endpoint: engine.endpoint, ...(engine.pid !== undefined && { dbPath }) },
    positionsFile: folder.positions,
    pause: clock.pause,
    warn: say,
  });
  stops.push(
    sources.stop,
    startSchedules(cloud.schedules, { functions, warn: say, repeat: clock.every }).stop,
  );
  // keep-endpoints makes the demo partners' endpoints, so its queue must be served by now.
  if (receiver) stack = await receiver.load(stack);
  clock.onMove((byMs) => {
    stack = { ...stack, clock: { aheadMs: clock.aheadMs() + byMs } };
    writePrivateJson(folder.stack, stack);
    feed.emit({ kind: 'clock', byMs, aheadMs: stack.clock.aheadMs });
  });
  handleConsole = startConsole({ stack, feed, clock, documents, conditions, warn: say });
  writePrivateJson(folder.stack, stack);
  return stack;
};

/** The delivery log, to which the stage writes each attempt of the bus. */
const deliveryLogOf = (cloud: Cloud, documents: DynamoDBDocumentClient, clock: Clock) =>
  createDeliveryLogStore({ documents, debounceTable: tableOf(cloud, 'Debounce'), clock });

const tableOf = ({ tables }: Cloud, logicalId: string): string =>
  tables.find(({ id }) => id === logicalId)?.name ?? '';

const documentsAt = (endpoint: string): DynamoDBDocumentClient =>
  createDocumentClient({ endpoint, region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } });

/** Runs the custom resources, at every start as at every deployment. */
const runTasks = async ({ tasks }: Cloud, functions: ReturnType<typeof createFunctions>) => {
  for (const task of tasks) {
    const pool = functions.get(task.functionId);
    if (pool) await runTask(task, pool);
  }
};
