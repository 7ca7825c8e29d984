import type { MiddlewareObj } from '@middy/core';
import { type HandlerResult, problem } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';
import { noContent } from '../http/response.ts';

/**
 * The methods that this function answers at an address, and all methods of that address, some of which other functions
 * answer.
 */
export type AddressMethods = { answered: readonly string[]; named?: readonly string[] };

/**
 * Passes requests with an answered method. Answers OPTIONS with 204 without a token, and any other method with 405,
 * both with `Allow` (VERB-1).
 */
export const allowMethods = <Event extends HttpEvent>(
  methodsOf: (event: Event) => AddressMethods,
): MiddlewareObj<Event, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const { answered, named = answered } = methodsOf(event);
    const headers = { Allow: [...named, 'OPTIONS'].join(', ') };
    if (event.httpMethod === 'OPTIONS') return noContent(headers);
    return answered.includes(event.httpMethod) ? undefined : problem('method-not-allowed', { headers });
  },
});
