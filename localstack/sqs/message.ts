type MessageAttribute = { StringValue: string; DataType: string };

export type MessageToSend = {
  body: string;
  delaySeconds?: number | undefined;
  attributes?: Record<string, MessageAttribute> | undefined;
  /** Only for FIFO queues, which require both. */
  groupId?: string | undefined;
  deduplicationId?: string | undefined;
};

/** The answer to a sender, with a sequence number from a FIFO queue. */
export type SentMessage = { messageId: string; sequenceNumber?: string };

export type QueueMessage = {
  messageId: string;
  receiptHandle: string;
  body: string;
  /**
   * ApproximateReceiveCount, SentTimestamp, ApproximateFirstReceiveTimestamp; for a FIFO queue also MessageGroupId,
   * MessageDeduplicationId, SequenceNumber.
   */
  attributes: Record<string, string>;
  messageAttributes: Record<string, MessageAttribute>;
};
