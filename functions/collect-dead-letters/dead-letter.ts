import type { SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { type MessageType, messageTypes } from '../shared/domain/event/event.ts';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import type { DeliveryFault } from '../shared/events/failures.ts';

/** A delivery that the bus has given up. */
export type DeadLetter = {
  clientId: string;
  uuid: string;
  type: MessageType;
  eventId: string;
  from: number;
  to: number;
  /** Sendings that failed for one reason before this one. */
  tries: number;
  busEventId: string;
  fault: DeliveryFault;
};

/** The part of the bus's event that names the delivery. */
const busEvent = z.object({
  id: z.string(),
  'detail-type': z.enum(messageTypes),
  detail: z.object({
    to: z.string().check(z.minLength(1)),
    message: z.object({ detail: z.object({ uuid: z.optional(z.string()) }) }),
    delivery: z.object({
      id: z.string().check(z.minLength(1)),
      from: z.coerce.number(),
      to: z.coerce.number(),
      tries: z.coerce.number(),
    }),
  }),
});

/** Reads a message of the dead-letter queue: the body is the original event, the attributes say what went wrong. */
export const readDeadLetter = ({
  body,
  messageAttributes,
}: Pick<SQSRecord, 'body' | 'messageAttributes'>): Outcome<DeadLetter, 'unreadable'> => {
  const event = busEvent.safeParse(parsed(body));
  if (!event.success) return refuse('unreadable');
  const { id, detail, 'detail-type': type } = event.data;
  const { id: eventId, ...delivery } = detail.delivery;
  return succeed({
    ...{ clientId: detail.to, uuid: detail.message.detail.uuid ?? '', type, eventId, ...delivery },
    busEventId: id,
    fault: faultOf(messageAttributes),
  });
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** The error's text is searched but never kept: it may quote an endpoint's answer. */
const faultOf = (attributes: SQSMessageAttributes): DeliveryFault => {
  const message = textOf(attributes, 'ERROR_MESSAGE');
  const code = textOf(attributes, 'ERROR_CODE');
  const [, status] = /\bstatus(?: code)?:? (\d{3})\b/i.exec(message) ?? [];
  return {
    code: /^[A-Z_]{1,60}$/.test(code) ? code : 'UNKNOWN',
    ...(status !== undefined && { status: Number(status) }),
    kind: kindOf(`${code} ${message}`, status),
    isExhausted: textOf(attributes, 'EXHAUSTED_RETRY_CONDITION') !== '',
  };
};

const kindOf = (said: string, status: string | undefined): DeliveryFault['kind'] => {
  if (status !== undefined) return 'answered';
  if (/timeout|timed out/i.test(said)) return 'timed-out';
  return /cannot be reached|resolve|unknown host|\bdns\b/i.test(said) ? 'unreachable' : 'other';
};

const textOf = (attributes: SQSMessageAttributes, name: string) => attributes[name]?.stringValue ?? '';
