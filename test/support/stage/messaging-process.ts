import { join } from 'node:path';
import { openMessaging } from '../../../localstack/messaging.ts';
import { deadLetterQueue, testBus } from './messaging.ts';

/**
 * Bus and queues in a process of their own, which tests kill. Started with a folder, it prints the endpoint of the bus,
 * and answers each message of its parent with the content of the dead-letter queue, which stays there.
 */
const [folder = ''] = process.argv.slice(2);
const messaging = await openMessaging(join(folder, 'events.db'));
const recordAttempt = async () => {};
const queue = { ...deadLetterQueue, visibilitySeconds: 0 };
const { queues } = messaging.serve({ buses: [testBus], queues: [queue] }, { logs: folder, recordAttempt });
process.on('message', async () => process.send?.(await queues.get(queue.arn)?.receive(10)));
console.log(messaging.endpoints.eventbridge);
