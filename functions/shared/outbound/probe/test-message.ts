import { randomUUID } from 'node:crypto';
import { type MessageOrigin, renderTestMessage } from '../../domain/event/message.ts';
import type { Clock } from '../../runtime/clock.ts';
import { apiDestinationHeaders, signatureHeader } from '../endpoint/definition.ts';

/** A message that tests an endpoint. */
export type TestMessage = { headers: Record<string, string>; body: string };

/** The input of `probe-endpoint`: messages to send to an address, one after the other. */
export type ProbeRequest = { url: string; messages: TestMessage[] };

/** The outcome of a message; after a fault no further one is sent. */
export type ProbeAnswer = { status: number } | { fault: string };

export type TestMessageDeps = { origin: MessageOrigin; clock: Clock };

/** Each test is a new message, with the headers that the bus sends: an endpoint that refuses one of them fails its check. */
export const testMessageOf = (signature: string, { origin, clock }: TestMessageDeps): TestMessage => {
  const id = randomUUID();
  return {
    headers: {
      ...apiDestinationHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Idempotency-Key': id,
      [signatureHeader]: signature,
    },
    body: renderTestMessage({ id, publishedAt: clock() }, origin),
  };
};
