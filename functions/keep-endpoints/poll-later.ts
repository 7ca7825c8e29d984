import { type OutboundQueue, sendMessages } from '../shared/outbound/queue.ts';
import type { KeepDeps } from './keep.ts';
import type { KeptMessage } from './message.ts';

/** SQS delays a message for so long at most. */
const longestSeconds = 900;

/** Over a standard queue, since a FIFO queue delays all its messages or none. Later rather than too early: clocks differ. */
export const createPollLater =
  (queue: OutboundQueue): KeepDeps['pollLater'] =>
  (clientId, afterMs) => {
    const message: KeptMessage = { clientId, isLater: true };
    const DelaySeconds = Math.min(longestSeconds, Math.ceil(afterMs / 1000) + 1);
    return sendMessages(queue, [{ Id: clientId, DelaySeconds, MessageBody: JSON.stringify(message) }]);
  };
