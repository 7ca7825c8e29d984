import { openPublishing, publishingVariables } from '../shared/publish/open-publishing.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler } from './handler.ts';
import { createDelayedTicks, createNextTick, createQueueClient } from './ticks.ts';

const environment = readEnvironment([...publishingVariables, 'TICK_SECONDS', 'TICK_QUEUE']);

const client = createQueueClient();
const queueUrl = environment.TICK_QUEUE;

export const handler = createHandler({
  publishing: openPublishing(createDocumentClient(), environment, createLog('publish-dormant')),
  sendDelayedTicks: createDelayedTicks(client, { queueUrl, tickSeconds: Number(environment.TICK_SECONDS) }),
  sendTick: createNextTick(client, { queueUrl }),
  report: createReport('publish-dormant'),
});
