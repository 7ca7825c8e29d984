import { createHash } from 'node:crypto';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { MessageCounts, QueueMessage } from './message.ts';

/** What a caller asked to see of a message: SQS answers no attribute unasked. */
export type Wanted = { system: string[]; custom: string[] };

export const messageAnswer = (message: QueueMessage, { system, custom }: Wanted) => ({
  MessageId: message.messageId,
  ReceiptHandle: message.receiptHandle,
  Body: message.body,
  MD5OfBody: md5(message.body),
  Attributes: named(message.attributes, system),
  MessageAttributes: named(message.messageAttributes, custom),
});
export const queueAnswer = (queue: CloudQueue, counts: MessageCounts, wanted: string[]) => ({
  Attributes: named(attributesOf(queue, counts), wanted),
});

/** The SDK compares it with what it sent or received. */
export const md5 = (body: string): string => createHash('md5').update(body).digest('hex');

const named = <Value>(all: Record<string, Value>, wanted: string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes('All') || wanted.includes(name)));

const attributesOf = (
  queue: CloudQueue,
  { visible, inFlight, delayed }: MessageCounts,
): Record<string, string> => ({
  QueueArn: queue.arn,
  ApproximateNumberOfMessages: `${visible}`,
  ApproximateNumberOfMessagesNotVisible: `${inFlight}`,
  ApproximateNumberOfMessagesDelayed: `${delayed}`,
  DelaySeconds: `${queue.delaySeconds}`,
  VisibilityTimeout: `${queue.visibilitySeconds}`,
  MessageRetentionPeriod: `${queue.retentionSeconds}`,
  ...(queue.redrive && { RedrivePolicy: redrivePolicy(queue.redrive) }),
});

const redrivePolicy = ({ deadLetterArn, maxReceiveCount }: NonNullable<CloudQueue['redrive']>) =>
  JSON.stringify({ deadLetterTargetArn: deadLetterArn, maxReceiveCount });
