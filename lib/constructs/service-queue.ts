import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

type QueueProps = {
  encryptionKey: IKey;
  /** How long a message is kept that nobody takes. */
  retention?: Duration;
  visibility?: Duration;
  /** Where a message goes that was taken so often and never done with. */
  redrive?: { queue: Queue; maxReceiveCount: number };
};

/** A standard queue, encrypted with our key and reached over TLS only (S-55). */
export const createQueue = (scope: Construct, id: string, props: QueueProps): Queue => {
  const { encryptionKey, retention, visibility, redrive } = props;
  return new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: encryptionKey,
    // One call of KMS for five minutes of messages.
    dataKeyReuse: Duration.minutes(5),
    enforceSSL: true,
    ...(retention && { retentionPeriod: retention }),
    ...(visibility && { visibilityTimeout: visibility }),
    ...(redrive && { deadLetterQueue: redrive }),
  });
};

/** A queue at the end of a hop (S-69): it keeps for as long as SQS can what a person has to look at. */
export const createLastQueue = (scope: Construct, id: string, encryptionKey: IKey, why: string): Queue => {
  const queue = createQueue(scope, id, { encryptionKey, retention: Duration.days(14) });
  acknowledge(queue, 'AwsSolutions-SQS3', why);
  acknowledge(queue, 'Serverless-SQSRedrivePolicy', why);
  return queue;
};
