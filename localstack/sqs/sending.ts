import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type AwsResponse, fault, success } from '../aws/json-protocol.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import { misplacedIn, missingIn } from './fifo.ts';
import type { MessageToSend } from './message.ts';
import type { QueueStore } from './store.ts';

/** 1 to 128 letters, digits and punctuation marks. */
const fifoId = z.string().regex(/^[!-~]{1,128}$/);
const message = z.strictObject({
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageGroupId: fifoId.optional(),
  MessageDeduplicationId: fifoId.optional(),
});
const entry = message.extend({ Id: z.string() });
export const messageInput = message.extend({ QueueUrl: z.string() });
export const batchInput = z.strictObject({ QueueUrl: z.string(), Entries: z.array(entry) });

type Message = z.output<typeof message>;
type Entry = z.output<typeof entry>;

/** SendMessage and SendMessageBatch. */
export const createSending = (store: QueueStore, nowMs: () => number) => {
  const send = (queue: CloudQueue, given: Message) => {
    const { messageId, sequenceNumber } = store.send(queue, toSend(given), nowMs());
    return {
      ...{ MessageId: messageId, MD5OfMessageBody: md5(given.MessageBody) },
      ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
    };
  };

  const sendBatch = (queue: CloudQueue, entries: readonly Entry[]): AwsResponse => {
    const judged = entries.map((given) => ({ ...given, found: misplacedIn(queue, toSend(given)) }));
    return success({
      Successful: judged
        .filter(({ found }) => found === undefined)
        .map((given) => ({ Id: given.Id, ...send(queue, given) })),
      Failed: judged.flatMap(({ Id, found }) =>
        found ? [{ Id, SenderFault: true, Code: found.code, Message: found.message }] : [],
      ),
    });
  };

  return {
    one: (queue: CloudQueue, given: Message): AwsResponse => {
      const found = missingIn(queue, toSend(given)) ?? misplacedIn(queue, toSend(given));
      if (found) return fault(found.code, found.message);
      if (bytesOf([given]) > bytesLimit) return fault('InvalidParameterValue', tooLong);
      return success(send(queue, given));
    },
    batch: (queue: CloudQueue, entries: readonly Entry[]): AwsResponse =>
      batchFault(queue, entries) ?? sendBatch(queue, entries),
  };
};

const toSend = (given: Message): MessageToSend => ({
  body: given.MessageBody,
  delaySeconds: given.DelaySeconds,
  groupId: given.MessageGroupId,
  deduplicationId: given.MessageDeduplicationId,
});

const batchFault = (queue: CloudQueue, entries: readonly Entry[]): AwsResponse | undefined => {
  if (entries.length === 0) return fault('EmptyBatchRequest', 'There are no entries in the batch.');
  if (entries.length > 10) return fault('TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return fault('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same Id.');
  const missing = entries.map((given) => missingIn(queue, toSend(given))).find(Boolean);
  if (missing) return fault('InvalidParameterValue', missing.message);
  if (bytesOf(entries) > bytesLimit) return fault('BatchRequestTooLong', tooLong);
  return undefined;
};

/** The limit of a message, and of all messages of a batch together. */
const bytesLimit = 1_048_576;
const tooLong = `Messages must be shorter than ${bytesLimit} bytes.`;

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);

/** The MD5 of a body, by which the SDK checks sent and received messages. */
export const md5 = (body: string): string => createHash('md5').update(body).digest('hex');
