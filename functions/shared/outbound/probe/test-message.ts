import { randomUUID } from 'node:crypto';
import { type MessageOrigin, renderTestMessage } from '../../domain/event/message.ts';
import type { WebhookSignature } from '../../domain/partner.ts';
import type { Clock } from '../../runtime/clock.ts';
import { signatureHeaders } from '../endpoint/definition.ts';

/** A message that asks an endpoint whether it takes ours. */
export type TestMessage = { headers: Record<string, string>; body: string };

/** What `probe-endpoint` is handed: where it sends which messages, one after the other. */
export type ProbeRequest = { url: string; messages: TestMessage[] };

/** What became of a message; after a fault no further one was sent. */
export type ProbeAnswer = { status: number } | { fault: string };

export type TestMessageDeps = { origin: MessageOrigin; clock: Clock };

/** Each test is a message of its own. */
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
