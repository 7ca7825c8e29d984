import { type OutboundQueue, sendMessages } from '../shared/outbound/queue.ts';
import type { KeepDeps } from './keep.ts';
import type { KeptMessage } from './message.ts';

/** SQS delays a message by 15 minutes at most. */
const longestSeconds = 900;

/** Uses a standard queue, because a FIFO queue cannot delay single messages. Adds a second, because clocks differ. */
export const createPollLater =
  (queue: OutboundQueue): KeepDeps['pollLater'] =>
  (clientId, afterMs) => {
    const message: KeptMessage = { clientId, isLater: true };
    const DelaySeconds = Math.min(longestSeconds, Math.ceil(afterMs / 1000) + 1);
    return sendMessages(queue, [{ Id: clientId, DelaySeconds, MessageBody: JSON.stringify(message) }]);
  };
