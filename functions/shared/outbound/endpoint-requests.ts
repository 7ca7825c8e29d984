import { randomUUID } from 'node:crypto';
import { type OutboundQueue, sendMessages } from './queue.ts';

/** A message to `keep-endpoints`: look at this partner. */
export type EndpointMessage = {
  clientId: string;
  /** Besides, say what this address answers to test messages: that changes nothing. */
  check?: { id: string; url: string };
  /** The bus gave up a delivery because of the endpoint. */
  isUndelivered?: true;
};

/** Wakes `keep-endpoints`. What is lost is found by its schedule. */
export type EndpointRequests = { send: (messages: readonly EndpointMessage[]) => Promise<void> };

/** SQS forgets an id after five minutes: so often at most a partner's dead letters wake `keep-endpoints`. */
const deduplicationIdOf = ({ clientId, isUndelivered }: EndpointMessage): string =>
  isUndelivered ? `undelivered-${clientId}` : randomUUID();

/** Over the FIFO queue of `keep-endpoints`: the partner is the message group, so that it works on one partner at a time. */
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
