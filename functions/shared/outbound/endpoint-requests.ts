import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { chunksOf } from '../runtime/chunks.ts';

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

const largestBatch = 10;

/** Over the FIFO queue of `keep-endpoints`: the partner is the message group, so that it works on one partner at a time. */
export const createEndpointRequests = ({
  client,
  queueUrl,
}: {
  client: Pick<SQSClient, 'send'>;
  queueUrl: string;
}): EndpointRequests => ({
  send: async (messages) => {
    for (const some of chunksOf(messages, largestBatch)) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: some.map((message, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            MessageGroupId: message.clientId,
            MessageDeduplicationId: deduplicationIdOf(message),
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`The queue did not take ${Failed.length} messages`);
    }
  },
});
