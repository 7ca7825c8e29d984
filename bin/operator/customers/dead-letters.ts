import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/**
 * The dead letters that are not collected yet. The collector takes a letter within seconds; one that it cannot read or record
 * stays for 14 days, with the whole event in it (S-61).
 */
export type DeadLetterQueue = {
  /** The approximate number of letters. */
  count: () => Promise<number>;
  /** Removes the letters whose text `isWanted`, and returns their number. The others stay hidden for two minutes. */
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

/** `arn` is `arn:aws:sqs:<region>:<account>:<name>`. */
const urlOf = async (client: Pick<SQSClient, 'send'>, arn: string): Promise<string | undefined> => {
  const [, , , , account, name] = arn.split(':');
  const named = new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account });
  return (await client.send(named)).QueueUrl;
};

/** Messages that the collector has received and not yet deleted count as well. */
const counted = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

const countIn = async (client: Pick<SQSClient, 'send'>, QueueUrl: string | undefined): Promise<number> => {
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counted] });
  const { Attributes = {} } = await client.send(asked);
  return counted.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};

/** Longer than a search, so that it receives no message twice. */
const hiddenSeconds = 120;

/** Long polling asks every server of the queue (SQS Developer Guide, "Amazon SQS short and long polling"). */
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
