import { systemClock } from '../functions/shared/runtime/clock.ts';
import type { Cloud } from './cloud.ts';
import { openEventsFile } from './events-file.ts';
import { openQueues, type Queue } from './queue.ts';
import { queueOperations, sqsProtocol } from './queue-server.ts';
import { startWire } from './wire.ts';

export type Messaging = {
  /** Known before anything is served: the templates are read with them. */
  endpoints: { eventbridge: string; sqs: string };
  serve: (cloud: Cloud) => { queues: ReadonlyMap<string, Queue> };
  stop: () => Promise<void>;
};

/** EventBridge and SQS of the stage, over the one file that keeps what they accepted. */
export const openMessaging = async (path: string): Promise<Messaging> => {
  const file = openEventsFile(path);
  const eventbridge = await startWire({ prefix: 'AWSEvents', version: '1.1' });
  const sqs = await startWire(sqsProtocol);
  return {
    endpoints: { eventbridge: eventbridge.endpoint, sqs: sqs.endpoint },
    serve: (cloud) => {
      const queues = openQueues(file, cloud.queues, { now: systemClock, endpoint: sqs.endpoint });
      sqs.serve(queueOperations(queues, systemClock));
      return { queues: queues.byArn };
    },
    stop: async () => {
      await eventbridge.stop();
      await sqs.stop();
      file.close();
    },
  };
};
