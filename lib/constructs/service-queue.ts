import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

type QueueProps = {
  encryptionKey: IKey;
  /** How long an unread message is kept. */
  retention?: Duration;
  visibility?: Duration;
  /** Where a message goes after it failed so often. */
  redrive?: { queue: Queue; maxReceiveCount: number };
};

/** Creates a standard queue that is encrypted with our key and requires TLS (S-55). */
export const createQueue = (scope: Construct, id: string, props: QueueProps): Queue => {
  const { encryptionKey, retention, visibility, redrive } = props;
  return new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: encryptionKey,
    // One call of KMS serves five minutes of messages.
    dataKeyReuse: Duration.minutes(5),
    enforceSSL: true,
    ...(retention && { retentionPeriod: retention }),
    ...(visibility && { visibilityTimeout: visibility }),
    ...(redrive && { deadLetterQueue: redrive }),
  });
};

type LastQueueProps = {
  encryptionKey: IKey;
  /** Why it has no dead-letter queue of its own. */
  why: string;
  /** It is named by another queue, so that cdk-nag sees what it is for. */
  ofQueue?: true;
};

/** Creates a queue for failed messages, kept for 14 days, the longest time that SQS offers (S-69). */
export const createLastQueue = (
  scope: Construct,
  id: string,
  { encryptionKey, why, ofQueue }: LastQueueProps,
): Queue => {
  const queue = createQueue(scope, id, { encryptionKey, retention: Duration.days(14) });
  if (!ofQueue) acknowledge(queue, 'AwsSolutions-SQS3', why);
  acknowledge(queue, 'Serverless-SQSRedrivePolicy', why);
  return queue;
};
