import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

type QueueProps = {
  encryptionKey: IKey;
  /** How long SQS keeps a message. */
  retention?: Duration;
  visibility?: Duration;
  /** First in, first out within each message group; senders deduplicate by ids of their own. */
  isFifo?: true;
};

/** Creates a queue that is encrypted with our key and requires TLS (S-55). */
export const createQueue = (scope: Construct, id: string, props: QueueProps): Queue => {
  const { encryptionKey, retention, visibility, isFifo } = props;
  return new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: encryptionKey,
    // Saves calls of KMS: one data key serves five minutes of messages.
    dataKeyReuse: Duration.minutes(5),
    enforceSSL: true,
    ...(retention && { retentionPeriod: retention }),
    ...(visibility && { visibilityTimeout: visibility }),
    ...(isFifo && { fifo: true }),
  });
};

type LastQueueProps = {
  encryptionKey: IKey;
  /** Why the queue has no dead-letter queue. */
  why: string;
};

/** Creates a queue for failed messages, kept for 14 days, the longest time that SQS offers (S-69). */
export const createLastQueue = (
  scope: Construct,
  id: string,
  { encryptionKey, why }: LastQueueProps,
): Queue => {
  const queue = createQueue(scope, id, { encryptionKey, retention: Duration.days(14) });
  acknowledge(queue, 'AwsSolutions-SQS3', why);
  acknowledge(queue, 'Serverless-SQSRedrivePolicy', why);
  return queue;
};
