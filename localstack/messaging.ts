import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { startJsonServer } from './aws/json-protocol.ts';
import { createStageClock, type StageClock } from './clock/stage-clock.ts';
import type { Cloud } from './cloudformation/model.ts';
import { openMessagesFile } from './data/messages-file.ts';
import { startBus } from './eventbridge/bus.ts';
import type { Reporting } from './eventbridge/delivery/report.ts';
import { eventsProtocol } from './eventbridge/server.ts';
import { openQueues, type Queue } from './sqs/queue.ts';
import { queueOperations, sqsProtocol } from './sqs/server.ts';

export type Messaging = {
  /** Known before `serve`, since the templates are read with them. */
  endpoints: { eventbridge: string; sqs: string };
  serve: (cloud: Pick<Cloud, 'buses' | 'queues'>, to: AttemptFollowers) => ServedMessaging;
  stop: () => Promise<void>;
};

/** Attempts are recorded in the delivery log, and in `bus.log` in the folder `logs`. */
type AttemptFollowers = Pick<Reporting, 'recordAttempt' | 'emit'> & { logs: string; clock?: StageClock };
type ServedMessaging = {
  queues: ReadonlyMap<string, Queue>;
  /** Ends the sending. Call it while attempts can still be recorded. */
  stop: () => Promise<void>;
};

/** The stage's EventBridge and SQS, which keep accepted events and messages in one file. */
export const openMessaging = async (path: string): Promise<Messaging> => {
  const file = openMessagesFile(path);
  const eventbridge = await startJsonServer(eventsProtocol);
  const sqs = await startJsonServer(sqsProtocol);
  return {
    endpoints: { eventbridge: eventbridge.endpoint, sqs: sqs.endpoint },
    serve: (cloud, { recordAttempt, logs, emit, clock = createStageClock() }) => {
      const { now } = clock;
      const queues = openQueues(file, cloud.queues, { now, endpoint: sqs.endpoint });
      // A move of the clock must not let waiting messages expire.
      clock.onMove(queues.store.makeYounger);
      sqs.serve(queueOperations(queues, now));
      const lines = createWriteStream(join(logs, 'bus.log'));
      const log = (line: Record<string, unknown>) => lines.write(`${JSON.stringify(line)}\n`);
      const bus = startBus({
        file,
        buses: cloud.buses,
        queues,
        now,
        recordAttempt,
        log,
        ...(emit && { emit }),
      });
      eventbridge.serve(bus.operations);
      const stop = async () => {
        await bus.stop();
        await new Promise<void>((resolve) => lines.end(resolve));
      };
      return { queues: queues.byArn, stop };
    },
    stop: async () => {
      await eventbridge.stop();
      await sqs.stop();
      file.close();
    },
  };
};
