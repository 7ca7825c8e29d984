type MessageAttribute = { StringValue: string; DataType: string };

export type MessageToSend = {
  body: string;
  delaySeconds?: number | undefined;
  attributes?: Record<string, MessageAttribute> | undefined;
};

export type QueueMessage = {
  messageId: string;
  receiptHandle: string;
  body: string;
  /** ApproximateReceiveCount, SentTimestamp, ApproximateFirstReceiveTimestamp. */
  attributes: Record<string, string>;
  messageAttributes: Record<string, MessageAttribute>;
};
