import type { MiddlewareObj } from '@middy/core';
import type { Storefront } from '../domain/ownership/storefront.ts';
import type { HandlerResult } from '../http/problem.ts';
import { type HttpEvent, headerValues } from '../http/request.ts';
import type { ResponseHeaders } from '../http/response.ts';
import type { StorefrontReader } from '../store/storefronts/reader.ts';
import type { PipelineEvent } from './respond.ts';

/** A request with the storefronts registered for its `Origin`, including retired ones. None for an unknown origin. */
export type OriginEvent = PipelineEvent & { storefronts: readonly Storefront[] };

export type CorsDeps = { storefronts: Pick<StorefrontReader, 'ofOrigin'>; methods: readonly string[] };

/** Adds `event.storefronts`, and lets scripts of origins with an open storefront read every response (V1-7). */
export const cors = ({ storefronts, methods }: CorsDeps): MiddlewareObj<OriginEvent, HandlerResult> => ({
  before: async ({ event }) => {
    const origin = originOf(event);
    event.storefronts = origin === undefined ? [] : await storefronts.ofOrigin(origin);
    const isOpen = isOfOpenStorefront(event);
    event.responseHeaders = {
      Vary: 'Authorization, Origin',
      ...(origin !== undefined && isOpen && allowed(origin)),
      ...(isOpen && event.httpMethod === 'OPTIONS' && preflight(methods)),
    };
  },
});

/** Whether an open storefront is registered for the request's origin. */
export const isOfOpenStorefront = ({ storefronts }: Pick<OriginEvent, 'storefronts'>) =>
  storefronts.some(({ retired }) => !retired);

/** No registered origin is longer, and the size of a key is limited. */
const longestOrigin = 300;

/** Compared exactly, including letter case and port. Two origins count as none. */
const originOf = (event: HttpEvent) => {
  const [origin, ...others] = headerValues(event, 'Origin');
  return others.length === 0 && origin !== undefined && origin.length <= longestOrigin ? origin : undefined;
};

const allowed = (origin: string): ResponseHeaders => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposedHeaders,
});

/** All headers of our responses that scripts may not read by default. */
const exposedHeaders = [
  'authentication-token',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Correlation-Id',
  'X-Pagination-Total-Count',
  'X-Pagination-Page-Count',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
].join(', ');

const preflight = (methods: readonly string[]): ResponseHeaders => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  // `*` lets a shop's tracing headers pass. It never covers Authorization, and nothing in requests with credentials, which
  // are not allowed. Older browsers ignore it, so what checkouts need is named.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Correlation-Id, *',
  // Ten minutes: so long browsers may call a retired storefront without asking again.
  'Access-Control-Max-Age': '600',
});
