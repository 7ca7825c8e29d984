import type { MiddlewareObj } from '@middy/core';
import { type HandlerResult, problem } from '../http/problem.ts';
import { type HttpEvent, headerValues } from '../http/request.ts';
import { noContent } from '../http/response.ts';

/**
 * The methods that this function answers at an address, and all methods of that address, some of which other functions
 * answer.
 */
export type AddressMethods = { answered: readonly string[]; named?: readonly string[] };

/** Whether a request may name its method in `X-HTTP-Method-Override` (S-85). */
type Overrides = { takesOverride?: true };

/** Passes requests with an answered method (`answerByMethod`). */
export const allowMethods = <Event extends HttpEvent>(
  methodsOf: (event: Event) => AddressMethods,
  overrides: Overrides = {},
): MiddlewareObj<Event, HandlerResult> => ({
  before: ({ event }) => answerByMethod(event, methodsOf(event), overrides),
});

/**
 * Answers OPTIONS with 204 without a token, and any method that is not answered here with 405, both with `Allow` (VERB-1).
 * Undefined for an answered method.
 *
 * The gateway honours `X-HTTP-Method-Override` and shows only the resulting method, so the firewall and caches saw another
 * one. By default such a request is 405, whatever its method (S-85, O-48).
 */
export const answerByMethod = (
  event: Pick<HttpEvent, 'httpMethod' | 'multiValueHeaders'>,
  { answered, named = answered }: AddressMethods,
  { takesOverride }: Overrides = {},
): HandlerResult | undefined => {
  const headers = { Allow: [...named, 'OPTIONS'].join(', ') };
  if (!takesOverride && headerValues(event, overrideHeader).length > 0)
    return problem('method-not-allowed', { headers, detail: overrideRefused });
  if (event.httpMethod === 'OPTIONS') return noContent(headers);
  return answered.includes(event.httpMethod) ? undefined : problem('method-not-allowed', { headers });
};

const overrideHeader = 'X-HTTP-Method-Override';
const overrideRefused = `${overrideHeader} is not accepted here. Send the method itself.`;
