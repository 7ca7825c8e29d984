import { z } from 'zod';
import { oauthRefusal } from '../../../functions/issue-token/oauth-response.ts';
import type { OAuthScope } from '../../../functions/shared/domain/partner.ts';
import {
  insufficientScope,
  invalidCredentials,
  unavailable,
} from '../../../functions/shared/http/problem.ts';
import { bodyProblem } from '../../../functions/shared/http/request-problems.ts';
import { resourceMetadata } from '../examples/tokens.ts';
import { listHeaders } from '../examples/transactions.ts';
import {
  correlationId,
  eventAddress,
  headerIn,
  requestId,
  sessionTokenExample,
  transactionAddress,
  webhookAddress,
} from '../examples/values.ts';

/** A header that several answers carry, once in the document. */
const header = (id: string, schema: z.ZodType, description: string, example: string) =>
  schema.meta({ header: { id, description, example } });

const text = z.string();
const sometimes = text.optional();

/** On every answer (ERR-5). */
export const onEvery = {
  'Request-Id': header(
    'Request-Id',
    text,
    'Id of the request; quote it when you report a problem.',
    requestId,
  ),
  'X-Correlation-Id': header(
    'X-Correlation-Id',
    sometimes,
    'The request’s own `X-Correlation-Id`, where it was well formed.',
    correlationId,
  ),
};

const entityTag = header(
  'ETag',
  text,
  'Tag of this representation: send it back in `If-None-Match` and get 304 while nothing changed, or in `If-Match` to write only if the transaction is still in this version.',
  headerIn(listHeaders, 'ETag'),
);

export const tagged = { ETag: entityTag };

export const linked = {
  Link: header(
    'Link',
    sometimes,
    'The addresses of `_links`, each with its relation; left out where it would be longer than 8,000 bytes.',
    headerIn(listHeaders, 'Link'),
  ),
};

const counts = {
  'X-Pagination-Total-Count': 'How many transactions match, as `_meta.totalCount`',
  'X-Pagination-Page-Count': 'How many pages they fill, as `_meta.pageCount`',
  'X-Pagination-Current-Page': 'Which page this is, as `_meta.currentPage`',
  'X-Pagination-Per-Page': 'How many transactions a full page holds, as `_meta.perPage`',
};

const counted = (schema: z.ZodType, idOf: (name: string) => string, when: string) => ({
  ...Object.fromEntries(
    Object.entries(counts).map(([name, meaning]) => [
      name,
      header(idOf(name), schema, meaning + when, headerIn(listHeaders, name)),
    ]),
  ),
  ...linked,
});

/** On every list (LINK-4). */
export const paginated = counted(text, (name) => name, '.');

/** On what may be a list. */
export const paginatedIfList = counted(sometimes, (name) => `${name}-if-list`, '; of a list alone.');

export const location = {
  Location: header('Location', text, 'The address of the new transaction.', transactionAddress),
};

export const eventLocation = {
  Location: header(
    'Location-of-event',
    text,
    'The address of the event, which says what comes of the test.',
    eventAddress,
  ),
};

export const webhookLocation = {
  Location: header(
    'Location-of-webhook',
    text,
    'Where your webhook and its state are shown.',
    webhookAddress,
  ),
};

export const replayed = {
  'Idempotency-Replayed': header(
    'Idempotency-Replayed',
    z.literal('true').optional(),
    'The answer was given to an earlier request with this `Idempotency-Key`; nothing was done now.',
    'true',
  ),
};

/** V1 alone (V1-5). */
export const sessionToken = {
  'authentication-token': header(
    'authentication-token',
    sometimes,
    'The session’s token: send it as `Authorization: Bearer …` from now on. It may change from answer to answer; keep the last one.',
    sessionTokenExample,
  ),
};

export const challenge = {
  'WWW-Authenticate': header(
    'WWW-Authenticate',
    text,
    'What is wrong with the credentials (RFC 6750).',
    headerIn(invalidCredentials({ tokenPresented: true, resourceMetadata }).headers, 'WWW-Authenticate'),
  ),
};

/** Of a 403: what is outside of the grants has none. */
export const scopeChallenge = (scope: OAuthScope) => ({
  'WWW-Authenticate': header(
    `WWW-Authenticate-for-${scope.replace('nop2/', '')}`,
    scope === 'nop2/write' ? sometimes : text,
    'The OAuth scope that the token lacks, where it is that (RFC 6750).',
    headerIn(insufficientScope(scope).headers, 'WWW-Authenticate'),
  ),
});

/** Of the token service. */
export const clientChallenge = {
  'WWW-Authenticate': header(
    'WWW-Authenticate-of-client',
    text,
    'How a client authenticates: by HTTP Basic (RFC 7617).',
    headerIn(oauthRefusal('invalid-client').headers, 'WWW-Authenticate'),
  ),
};

export const retryAfter = {
  'Retry-After': header(
    'Retry-After',
    text,
    'Seconds after which trying again may help.',
    headerIn(unavailable().headers, 'Retry-After'),
  ),
};

export const accept = {
  Accept: header(
    'Accept',
    text,
    'The media types that a body may have.',
    headerIn(bodyProblem({ reason: 'unsupported-type' }).headers, 'Accept'),
  ),
  'Accept-Encoding': header(
    'Accept-Encoding',
    text,
    'How a body may be encoded: `identity`, which means not compressed.',
    'identity',
  ),
};

export const cached = {
  'Cache-Control': header(
    'Cache-Control',
    text,
    'Whether and for how long the answer may be kept.',
    'no-store',
  ),
};

/** draft-ietf-httpapi-ratelimit-headers-11; absent where the token or its OAuth scope is refused. */
export const rateLimited = {
  RateLimit: header(
    'RateLimit',
    sometimes,
    'Of each quota that the request counts for, what is left (`r`) and after how many seconds all of it is again (`t`).',
    '"partner";r=299;t=48',
  ),
  'RateLimit-Policy': header(
    'RateLimit-Policy',
    sometimes,
    'Your quotas (`q`) in each so many seconds of the clock (`w`).',
    '"partner";q=300;w=60',
  ),
};
