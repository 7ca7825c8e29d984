import type { CloudQueue } from '../cloudformation/model.ts';
import type { MessagesFile } from '../data/messages-file.ts';
import type { MessageToSend, SentMessage } from './message.ts';

/** Whether a queue is FIFO; as on AWS, its name says so. */
export const isFifo = ({ name }: Pick<CloudQueue, 'name'>): boolean => name.endsWith('.fifo');

/** A fault of SendMessage, with AWS's code and message. */
export type SendFault = { code: 'MissingParameter' | 'InvalidParameterValue'; message: string };

/** The parameter that a message for a FIFO queue lacks, for which SendMessageBatch refuses the whole batch. */
export const missingIn = (
  queue: CloudQueue,
  { groupId, deduplicationId }: MessageToSend,
): SendFault | undefined => {
  if (!isFifo(queue)) return undefined;
  if (groupId === undefined)
    return { code: 'MissingParameter', message: 'The request must contain the parameter MessageGroupId.' };
  if (deduplicationId === undefined)
    return {
      code: 'InvalidParameterValue',
      message:
        'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    };
  return undefined;
};

/** A parameter that queues of this type do not accept, for which SendMessageBatch refuses only the entry. */
export const misplacedIn = (
  queue: CloudQueue,
  { delaySeconds, groupId, deduplicationId }: MessageToSend,
): SendFault | undefined => {
  const misplaced = isFifo(queue)
    ? // A FIFO queue cannot delay a single message, but accepts 0.
      { DelaySeconds: delaySeconds || undefined }
    : { MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
  const [found] = Object.entries(misplaced).filter(([, value]) => value !== undefined);
  if (!found) return undefined;
  const reason = 'The request include parameter that is not valid for this queue type.';
  return {
    code: 'InvalidParameterValue',
    message: `Value ${found[1]} for parameter ${found[0]} is invalid. Reason: ${reason}`,
  };
};

const deduplicationMs = 300_000;

/**
 * The deduplication ids of FIFO queues. Each is kept for five minutes after its first message, also when that was removed.
 */
export const createDeduplication = ({ db }: MessagesFile) => {
  const forget = db.prepare('DELETE FROM deduplications WHERE queue = ? AND sentMs <= ?');
  const find = db.prepare(
    'SELECT messageId, sequenceNumber FROM deduplications WHERE queue = ? AND deduplicationId = ?',
  );
  const insert = db.prepare('INSERT INTO deduplications VALUES (?, ?, ?, ?, ?)');
  return {
    /** The answer to the first message with this id. */
    firstSent: (queueArn: string, deduplicationId: string, nowMs: number): SentMessage | undefined => {
      forget.run(queueArn, nowMs - deduplicationMs);
      const found = find.get(queueArn, deduplicationId) as Required<SentMessage> | undefined;
      return found && { ...found };
    },
    note: (queueArn: string, deduplicationId: string, sent: Required<SentMessage>, nowMs: number) => {
      insert.run(queueArn, deduplicationId, sent.messageId, sent.sequenceNumber, nowMs);
    },
  };
};
