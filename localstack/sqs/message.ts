type MessageAttribute = { StringValue: string; DataType: string };

export type MessageToSend = {
  body: string;
  delaySeconds?: number | undefined;
  attributes?: Record<string, MessageAttribute> | undefined;
  /** Of FIFO queues alone, which take no message without both. */
  groupId?: string | undefined;
  deduplicationId?: string | undefined;
};

/** What a sender is answered. A FIFO queue has a sequence number for each message. */
export type SentMessage = { messageId: string; sequenceNumber?: string };

export type QueueMessage = {
  messageId: string;
  receiptHandle: string;
  body: string;
  /**
   * ApproximateReceiveCount, SentTimestamp, ApproximateFirstReceiveTimestamp; of a FIFO queue also MessageGroupId,
   * MessageDeduplicationId, SequenceNumber.
   */
  attributes: Record<string, string>;
  messageAttributes: Record<string, MessageAttribute>;
};
