import * as z from 'zod/mini';
import type { FieldError } from '../shared/domain/query/filter.ts';
import type { WebhookOrder } from '../shared/domain/webhook-order.ts';
import { type JsonBody, readJsonBody } from '../shared/http/json-body.ts';
import type { Problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { bodyProblem, invalidMembers } from '../shared/http/request-problems.ts';
import { urlFaultText } from '../shared/outbound/endpoint/url-fault.ts';
import { type EndpointRules, evaluateEndpointUrl } from '../shared/outbound/endpoint/url-policy.ts';
import { line, yesOrNo } from '../shared/schema/fields.ts';
import { schemaErrors } from '../shared/schema/validate.ts';

/** The longest address of an API destination. */
const longestUrl = 2048;

/** A webhook's address. */
export const addressSchema = z.strictObject({ url: line(longestUrl) });

/** A change of a webhook: at least one member. */
export const webhookChangeSchema = z.strictObject({
  paused: z.optional(yesOrNo),
  signature: z.optional(z.literal('next', 'The member must be "next".')),
});

/**
 * The changes that a body requests, with its bytes, by which two bodies are compared. Or the problem for the caller.
 */
type Read = { ok: true; value: { orders: WebhookOrder[]; bytes: Buffer } } | { ok: false; problem: Problem };

/** The address of a PUT, checked as far as its text allows (S-47). */
export const readAddress = (event: HttpEvent, rules: EndpointRules): Read =>
  readBody(event, addressSchema, ({ value }) => {
    const url = evaluateEndpointUrl(String(value.url), rules);
    if (url.ok) return [{ kind: 'set', url: url.value.href }];
    return { field: 'url', message: `The address ${urlFaultText(url.reason, String(value.url))}` };
  });

/** The changes of a PATCH, in the order of their execution. */
export const readWebhookChange = (event: HttpEvent): Read =>
  readBody(event, webhookChangeSchema, ({ value: { paused, signature } }) => {
    const orders: WebhookOrder[] = [
      ...(paused === undefined ? [] : [{ kind: paused ? 'pause' : 'resume' } as const]),
      ...(signature === undefined ? [] : [{ kind: 'rotate', step: 'finish' } as const]),
    ];
    return orders.length > 0 ? orders : { field: 'paused', message: 'Name paused, signature, or both.' };
  });

const readBody = (
  event: HttpEvent,
  schema: z.ZodMiniType,
  ordersOf: (body: JsonBody) => WebhookOrder[] | FieldError,
): Read => {
  const body = readJsonBody(event);
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  const errors = schemaErrors(schema, body.value.value);
  if (errors.length > 0) return { ok: false, problem: invalidMembers(errors) };
  const orders = ordersOf(body.value);
  return Array.isArray(orders)
    ? { ok: true, value: { orders, bytes: body.value.bytes } }
    : { ok: false, problem: invalidMembers([orders]) };
};
