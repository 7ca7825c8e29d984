import { randomUUID } from 'node:crypto';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { openPublishing, publishingVariables } from '../shared/publish/open-publishing.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createLaneStore } from '../shared/store/debounce/lanes.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler, lightLoad } from './handler.ts';
import { createLanes } from './lanes.ts';
import { createNextTick, createTicks } from './ticks.ts';

const environment = readEnvironment([
  ...publishingVariables,
  ...(['TICK_SECONDS', 'TICK_QUEUE', 'LANE_QUEUE', 'FLUSH_LANES'] as const),
]);

const documents = createDocumentClient();
const client = createQueueClient();
const ticks = { client, queueUrl: environment.TICK_QUEUE };

export const handler = createHandler({
  publishing: openPublishing(documents, environment, createLog('publish-dormant', allLines)),
  // It remembers from run to run, as long as Lambda keeps this container.
  ticks: createTicks({ ...ticks, clock, tickSeconds: Number(environment.TICK_SECONDS) }),
  alone: lightLoad,
  lanes: createLanes({
    ...{ clock, newHolder: randomUUID, count: Number(environment.FLUSH_LANES) },
    queue: { client, queueUrl: environment.LANE_QUEUE },
    store: createLaneStore({ documents, debounceTable: environment.DEBOUNCE_TABLE, clock }),
  }),
  sendTick: createNextTick(ticks),
  report: createReport('publish-dormant'),
});
