import { join } from 'node:path';
import { openMessaging } from '../../../localstack/messaging.ts';
import { deadLetterQueue, testBus } from './messaging.ts';

/** Bus and queues in a process of their own, to be killed: started with a folder, it prints its endpoints. */
const [folder = ''] = process.argv.slice(2);
const messaging = await openMessaging(join(folder, 'events.db'));
const recordAttempt = async () => {};
messaging.serve({ buses: [testBus], queues: [deadLetterQueue] }, { logs: folder, recordAttempt });
console.log(JSON.stringify(messaging.endpoints));
