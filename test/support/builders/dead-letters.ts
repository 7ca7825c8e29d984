import type { SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import { uuidOf } from './transactions.ts';

/** Why the bus gave an event up, in its own words. */
export type Failure = { code?: string; message?: string; condition?: string };

/** What EventBridge says beside the event that it gave up. */
const failureAttributes = ({ code, message, condition }: Failure): SQSMessageAttributes => {
  const said = {
    RULE_ARN: 'arn:aws:events:eu-west-2:000000000000:rule/transactions-local/transactions-local-P1',
    TARGET_ARN: 'arn:aws:events:eu-west-2:000000000000:api-destination/transactions-local-P1/d',
    ERROR_CODE: code,
    ERROR_MESSAGE: message,
    EXHAUSTED_RETRY_CONDITION: condition,
    RETRY_ATTEMPTS: '3',
  };
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { dataType: 'String', stringValue: value }]],
    ),
  );
};

/** The event as the bus had it, with content that must be neither logged nor kept. */
export const busEventText = ({ eventId = 'event-1', clientId = 'P1', busEventId = 'bus-1' } = {}): string =>
  JSON.stringify({
    version: '0',
    id: busEventId,
    'detail-type': 'TransactionUpdated',
    source: 'svc.local.online-payments',
    detail: {
      to: clientId,
      message: { detail: { uuid: uuidOf(1), customer: { name: 'Canary Customer' } } },
      delivery: { id: eventId, from: '0', to: '1', omitted: '', tries: '2' },
    },
  });

export const aDeadLetter = ({
  messageId = 'm1',
  body = busEventText(),
  ...said
}: Failure & { messageId?: string; body?: string } = {}): SQSRecord => ({
  messageId,
  body,
  messageAttributes: failureAttributes(said),
  receiptHandle: 'r',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: 's',
    ApproximateFirstReceiveTimestamp: '0',
  },
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:eu-west-2:000000000000:dead-letters',
  awsRegion: 'eu-west-2',
});
