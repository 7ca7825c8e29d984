import { type OutboundQueue, sendMessages } from './queue.ts';

/** A message to `keep-endpoints`: look at this partner. */
export type EndpointMessage = {
  clientId: string;
  /** Also check this address, without changing anything. */
  check?: { id: string; url: string };
  /** A dead letter of the partner caused the message. */
  isUndelivered?: true;
};

/** Wakes `keep-endpoints`. Its schedule replaces a lost message. */
export type EndpointRequests = { send: (messages: readonly EndpointMessage[]) => Promise<void> };

/** SQS delays a message by 15 minutes at most. */
const longestSeconds = 900;

export const createEndpointRequests = (queue: OutboundQueue): EndpointRequests => ({
  send: (messages) =>
    sendMessages(
      queue,
      messages.map((message, index) => ({ Id: String(index), MessageBody: JSON.stringify(message) })),
    ),
});

/** Wakes `keep-endpoints` after this time, or after 15 minutes. Adds a second, because clocks differ. */
export const createLaterRequest =
  (queue: OutboundQueue) =>
  (clientId: string, afterMs: number): Promise<void> => {
    const DelaySeconds = Math.min(longestSeconds, Math.ceil(afterMs / 1000) + 1);
    const message: EndpointMessage = { clientId };
    return sendMessages(queue, [{ Id: '0', DelaySeconds, MessageBody: JSON.stringify(message) }]);
  };
