import { randomUUID } from 'node:crypto';
import { type OutboundQueue, sendMessages } from './queue.ts';

/** A message to `keep-endpoints`: check this partner. */
export type EndpointMessage = {
  clientId: string;
  /** Also check this address, without changing anything. */
  check?: { id: string; url: string };
  /** A dead letter of the partner caused the message. */
  isUndelivered?: true;
};

/** Wakes `keep-endpoints`. Its schedule replaces a lost message. */
export type EndpointRequests = { send: (messages: readonly EndpointMessage[]) => Promise<void> };

/** SQS deduplicates for five minutes, so a partner's dead letters wake `keep-endpoints` at most that often. */
const deduplicationIdOf = ({ clientId, isUndelivered }: EndpointMessage): string =>
  isUndelivered ? `undelivered-${clientId}` : randomUUID();

/** Sends to the FIFO queue with the partner as message group, so that one partner is worked on by one invocation. */
export const createEndpointRequests = (queue: OutboundQueue): EndpointRequests => ({
  send: (messages) =>
    sendMessages(
      queue,
      messages.map((message, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.clientId,
        MessageDeduplicationId: deduplicationIdOf(message),
      })),
    ),
});
