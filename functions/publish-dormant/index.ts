import { createQueueClient } from '../shared/outbound/tick-queue.ts';
import { openPublishing, publishingVariables } from '../shared/publish/open-publishing.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler } from './handler.ts';
import { createDelayedTicks, createNextTick } from './ticks.ts';

const environment = readEnvironment([...publishingVariables, 'TICK_SECONDS', 'TICK_QUEUE']);

const ticks = { client: createQueueClient(), queueUrl: environment.TICK_QUEUE };

export const handler = createHandler({
  publishing: openPublishing(createDocumentClient(), environment, createLog('publish-dormant', allLines)),
  sendDelayedTicks: createDelayedTicks({ ...ticks, tickSeconds: Number(environment.TICK_SECONDS) }),
  sendTick: createNextTick(ticks),
  report: createReport('publish-dormant'),
});
