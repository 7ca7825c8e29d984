import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { KeepDeps } from './keep.ts';
import type { KeptMessage } from './message.ts';

/** SQS delays a message for so long at most. */
const longestSeconds = 900;

/** Over a standard queue, since a FIFO queue delays all its messages or none. Later rather than too early: clocks differ. */
export const createLookLater =
  ({ client, queueUrl }: { client: Pick<SQSClient, 'send'>; queueUrl: string }): KeepDeps['lookLater'] =>
  async (clientId, afterMs) => {
    const message: KeptMessage = { clientId, isLater: true };
    const entry = {
      Id: clientId,
      DelaySeconds: Math.min(longestSeconds, Math.ceil(afterMs / 1000) + 1),
      MessageBody: JSON.stringify(message),
    };
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [entry] });
    const { Failed = [] } = await client.send(command);
    if (Failed.length > 0) throw new Error('The queue did not take a delayed message');
  };
