import { randomUUID } from 'node:crypto';
import { type MessageOrigin, renderTestMessage } from '../../domain/event/message.ts';
import type { WebhookSignature } from '../../domain/partner.ts';
import type { Clock } from '../../runtime/clock.ts';
import { signatureHeaders } from '../endpoint/definition.ts';

/** A message that tests an endpoint. */
export type TestMessage = { headers: Record<string, string>; body: string };

/** The input of `probe-endpoint`: messages to send to an address, one after the other. */
export type ProbeRequest = { url: string; messages: TestMessage[] };

/** The outcome of a message; after a fault no further one is sent. */
export type ProbeAnswer = { status: number } | { fault: string };

export type TestMessageDeps = { origin: MessageOrigin; clock: Clock };

/** Each test is a new message. */
export const testMessageOf = (
  signature: WebhookSignature,
  { origin, clock }: TestMessageDeps,
): TestMessage => {
  const id = randomUUID();
  return {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'transactions-webhook-test',
      'Idempotency-Key': id,
      ...signatureHeaders(signature),
    },
    body: renderTestMessage({ id, publishedAt: clock() }, origin),
  };
};
