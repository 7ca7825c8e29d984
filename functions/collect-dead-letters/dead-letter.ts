import type { SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { DeliveryFault, DeliveryKey } from '../shared/domain/event/delivery.ts';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';

/** A delivery that the bus has given up. */
export type DeadLetter = {
  key: DeliveryKey;
  /** The bus's id of the entry; each sending has its own. */
  busEventId: string;
  fault: DeliveryFault;
  /** Retries by the bus. */
  retries: number;
};

/** The part of the bus's event that names the delivery. */
const busEvent = z.object({
  id: z.string(),
  detail: z.object({
    to: z.string().check(z.minLength(1)),
    delivery: z.object({ id: z.string().check(z.minLength(1)) }),
  }),
});

/** Reads a message of the dead-letter queue: the body is the original event, the attributes say what went wrong. */
export const readDeadLetter = ({
  body,
  messageAttributes,
}: Pick<SQSRecord, 'body' | 'messageAttributes'>): Outcome<DeadLetter, 'unreadable'> => {
  const event = busEvent.safeParse(parsed(body));
  if (!event.success) return refuse('unreadable');
  const { id, detail } = event.data;
  return succeed({
    key: { eventId: detail.delivery.id, clientId: detail.to },
    busEventId: id,
    fault: faultOf(messageAttributes),
    retries: Number(textOf(messageAttributes, 'RETRY_ATTEMPTS')) || 0,
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
