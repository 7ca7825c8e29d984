import * as z from 'zod/mini';
import type { EndpointMessage } from '../shared/outbound/endpoint-requests.ts';

const message = z.object({
  clientId: z.string().check(z.minLength(1)),
  check: z.optional(z.object({ id: z.string(), url: z.string() })),
  isUndelivered: z.optional(z.literal(true)),
});

/** Throws if the body is not a message of this function. */
export const readMessage = (body: string): EndpointMessage =>
  message.parse(JSON.parse(body)) as EndpointMessage;
