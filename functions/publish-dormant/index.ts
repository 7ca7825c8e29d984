import { randomUUID } from 'node:crypto';
import { createQueueClient } from '../shared/outbound/tick-queue.ts';
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

const environment = readEnvironment([...publishingVariables, 'TICK_SECONDS', 'TICK_QUEUE', 'FLUSH_LANES']);

const documents = createDocumentClient();
const queue = { client: createQueueClient(), queueUrl: environment.TICK_QUEUE };

export const handler = createHandler({
  publishing: openPublishing(documents, environment, createLog('publish-dormant', allLines)),
  // It remembers from run to run, as long as Lambda keeps this container.
  ticks: createTicks({ ...queue, clock, tickSeconds: Number(environment.TICK_SECONDS) }),
  alone: lightLoad,
  lanes: createLanes({
    ...{ queue, clock, newHolder: randomUUID, count: Number(environment.FLUSH_LANES) },
    store: createLaneStore({ documents, debounceTable: environment.DEBOUNCE_TABLE, clock }),
  }),
  sendTick: createNextTick(queue),
  report: createReport('publish-dormant'),
});
