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
  headerIn,
  requestId,
  sessionTokenExample,
  transactionAddress,
  webhookAddress,
} from '../examples/values.ts';

/** A header of several answers, once in the document. */
const header = (id: string, schema: z.ZodType, description: string, example: string) =>
  schema.meta({ header: { id, description, example } });

const text = z.string();
const sometimes = text.optional();

/** On every answer (ERR-5). */
export const onEvery = {
  'Request-Id': header(
    'Request-Id',
    text,
    'ID of the request. Quote it when you report a problem.',
    requestId,
  ),
  'X-Correlation-Id': header(
    'X-Correlation-Id',
    sometimes,
    'The `X-Correlation-Id` of the request, if it was well formed.',
    correlationId,
  ),
};

const entityTag = header(
  'ETag',
  text,
  'Tag of this version. Send it in `If-None-Match` to get 304 if nothing changed, or in `If-Match` to write only if the transaction is still in this version.',
  headerIn(listHeaders, 'ETag'),
);

export const tagged = { ETag: entityTag };

export const linked = {
  Link: header(
    'Link',
    sometimes,
    'The addresses of `_links`, each with its relation. Left out if it would be longer than 8,000 bytes.',
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

/** On every answer that may be a list. */
export const paginatedIfList = counted(sometimes, (name) => `${name}-if-list`, '; only with a list.');

export const location = {
  Location: header('Location', text, 'The address of the new transaction.', transactionAddress),
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
    '`true` if this is the answer to an earlier request with this `Idempotency-Key`: nothing was done now.',
    'true',
  ),
};

/** V1 only (V1-5). */
export const sessionToken = {
  'authentication-token': header(
    'authentication-token',
    sometimes,
    'The session’s token: send it as `Authorization: Bearer …` from now on. It can change with each answer: keep the last one.',
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

/** On a 403. Absent for what is outside of the grants. */
export const scopeChallenge = (scope: OAuthScope) => ({
  'WWW-Authenticate': header(
    `WWW-Authenticate-for-${scope.replace('nop2/', '')}`,
    scope === 'nop2/write' ? sometimes : text,
    'The OAuth scope that the token lacks (RFC 6750).',
    headerIn(insufficientScope(scope).headers, 'WWW-Authenticate'),
  ),
});

/** On answers of the token service. */
export const clientChallenge = {
  'WWW-Authenticate': header(
    'WWW-Authenticate-of-client',
    text,
    'How to authenticate: HTTP Basic (RFC 7617).',
    headerIn(oauthRefusal('invalid-client').headers, 'WWW-Authenticate'),
  ),
};

export const retryAfter = {
  'Retry-After': header(
    'Retry-After',
    text,
    'Seconds to wait before you try again.',
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
    'The encodings that a body may have: `identity`, which means not compressed.',
    'identity',
  ),
};

export const cached = {
  'Cache-Control': header(
    'Cache-Control',
    text,
    'Whether and for how long you may cache the answer.',
    'no-store',
  ),
};

/** draft-ietf-httpapi-ratelimit-headers-11. Absent if the token or its OAuth scope is refused. */
export const rateLimited = {
  RateLimit: header(
    'RateLimit',
    sometimes,
    'For each limit that the request counts for: requests left (`r`), and seconds until the next window (`t`).',
    '"partner";r=299;t=48',
  ),
  'RateLimit-Policy': header(
    'RateLimit-Policy',
    sometimes,
    'For each limit: requests (`q`) in a window of seconds (`w`).',
    '"partner";q=300;w=60',
  ),
};
