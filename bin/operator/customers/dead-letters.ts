import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/**
 * What the bus gave up and nobody has collected yet. The collector takes a letter within seconds; one that it cannot read, or
 * status entry, lies here for 14 days, with all of the event (S-61).
 */
export type DeadLetterQueue = {
  /** About how many there are. */
  count: () => Promise<number>;
  /** Removes those whose text is wanted, and answers how many; the others are to be seen again after two minutes. */
  remove: (isWanted: (text: string) => boolean) => Promise<number>;
};

/** The queue of all partners' targets, over SQS. */
export const createDeadLetterQueue = (client: Pick<SQSClient, 'send'>, arn: string): DeadLetterQueue => {
  const open = () => urlOf(client, arn);
  return {
    count: async () => countIn(client, await open()),
    remove: async (isWanted) => removeFrom(client, await open(), isWanted),
  };
};

/** arn:aws:sqs:<region>:<account>:<name> */
const urlOf = async (client: Pick<SQSClient, 'send'>, arn: string): Promise<string | undefined> => {
  const [, , , , account, name] = arn.split(':');
  const named = new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account });
  return (await client.send(named)).QueueUrl;
};

/** Those that the collector has in hand count, too. */
const counted = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

const countIn = async (client: Pick<SQSClient, 'send'>, QueueUrl: string | undefined): Promise<number> => {
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counted] });
  const { Attributes = {} } = await client.send(asked);
  return counted.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};

/** So long what was looked at is not seen again, by this search either. */
const hiddenSeconds = 120;

/** A receive that waits asks every server of the queue (SQS Developer Guide, "Amazon SQS short and long polling"). */
const removeFrom = async (
  client: Pick<SQSClient, 'send'>,
  QueueUrl: string | undefined,
  isWanted: (text: string) => boolean,
): Promise<number> => {
  const batch = { MaxNumberOfMessages: 10, VisibilityTimeout: hiddenSeconds, WaitTimeSeconds: 1 };
  let removed = 0;
  for (;;) {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, ...batch }));
    if (Messages.length === 0) return removed;
    for (const { Body = '', ReceiptHandle } of Messages) {
      if (!isWanted(Body)) continue;
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      removed += 1;
    }
  }
};
