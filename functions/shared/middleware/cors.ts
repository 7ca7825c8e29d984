import type { Context } from 'aws-lambda';
import type { Storefront } from '../domain/storefront.ts';
import type { Answer, AnswerHeaders } from '../http/answer.ts';
import { type HttpEvent, headerValues } from '../http/event.ts';
import type { EstateStore } from '../store/estate-store.ts';

/** A request that knows the storefronts registered for its `Origin`; none for an unknown origin, or without one. */
export type OriginEvent = { storefronts: readonly Storefront[] };

export type CorsDeps = { estate: Pick<EstateStore, 'ofOrigin'> };

/**
 * Adds `event.storefronts`, and lets scripts of registered origins read the answer, whichever it is (V1-7, S-44). It
 * stands around the others because an answer that a middleware gives early needs these headers too.
 */
export const cors =
  <Event extends HttpEvent>(
    { estate }: CorsDeps,
    inner: (event: Event & OriginEvent, context: Context) => Promise<Answer>,
  ) =>
  async (event: Event, context: Context): Promise<Answer> => {
    const origin = originOf(event);
    const storefronts = origin === undefined ? [] : await estate.ofOrigin(origin);
    const answer = await inner(Object.assign(event, { storefronts }), context);
    const allowed = origin !== undefined && storefronts.length > 0 ? allowedFor(origin, event, answer) : {};
    return { ...answer, headers: { ...answer.headers, Vary: 'Authorization, Origin', ...allowed } };
  };

/** No registered origin is longer, and a key of the store could not hold much more. */
const longestOrigin = 300;

/** Compared as it stands: no letter case, default port or wildcard is overlooked. Two origins are none. */
const originOf = (event: HttpEvent) => {
  const [origin, ...others] = headerValues(event, 'Origin');
  return others.length === 0 && origin !== undefined && origin.length <= longestOrigin ? origin : undefined;
};

const allowedFor = (origin: string, { httpMethod }: HttpEvent, { headers }: Answer): AnswerHeaders => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposedHeaders,
  ...(httpMethod === 'OPTIONS' && preflightHeaders(headers)),
});

/** All that our answers carry beyond what a script may read anyway. */
const exposedHeaders = [
  'authentication-token',
  'ETag',
  'Link',
  'Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Correlation-Id',
  'X-Pagination-Total-Count',
  'X-Pagination-Page-Count',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
].join(', ');

const preflightHeaders = ({ Allow: methods }: AnswerHeaders): AnswerHeaders => ({
  ...(methods !== undefined && { 'Access-Control-Allow-Methods': methods }),
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, X-Correlation-Id',
  // Ten minutes: how long a retired storefront's pages may go on without asking again.
  'Access-Control-Max-Age': '600',
});
