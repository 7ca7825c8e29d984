import { createQueueClient, createWorkerRequest } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler, lightLoad } from './handler.ts';
import { openPublishing, publishingVariables } from './open-publishing.ts';
import { createNextTick, createTicks } from './ticks.ts';

const environment = readEnvironment([
  ...publishingVariables,
  ...(['TICK_SECONDS', 'PUBLISH_QUEUE', 'SHARD_QUEUE'] as const),
]);

const documents = createDocumentClient();
const client = createQueueClient();
const own = { client, queueUrl: environment.PUBLISH_QUEUE };

export const handler = createHandler({
  sending: openPublishing(documents, environment, createLog('publish-dormant', allLines)),
  // Remembers ticks between invocations, as long as Lambda keeps this container.
  ticks: createTicks({ ...own, clock, tickSeconds: Number(environment.TICK_SECONDS) }),
  atMostRows: lightLoad,
  askForWorkers: createWorkerRequest({ client, queueUrl: environment.SHARD_QUEUE }),
  sendTick: createNextTick(own),
  report: createReport('publish-dormant'),
});
