import { z } from 'zod';

/** A header that several answers carry, once in the document. */
const header = (id: string, schema: z.ZodType, description: string) =>
  schema.meta({ header: { id, description } });

const text = z.string();
const sometimes = text.optional();

/** On every answer (ERR-5). */
export const onEvery = {
  'Request-Id': header('Request-Id', text, 'Id of the request; quote it when you report a problem.'),
  'X-Correlation-Id': header(
    'X-Correlation-Id',
    sometimes,
    'The request’s own `X-Correlation-Id`, where it was well formed.',
  ),
};

const entityTag = header(
  'ETag',
  text,
  'Tag of this representation: send it back in `If-None-Match` and get 304 while nothing changed, or in `If-Match` to write only if the transaction is still in this version.',
);

export const tagged = { ETag: entityTag };

export const linked = {
  Link: header(
    'Link',
    sometimes,
    'The addresses of `_links`, each with its relation; left out where it would be longer than 8,000 bytes.',
  ),
};

/** On every list (LINK-4). */
export const paginated = {
  'X-Pagination-Total-Count': header('X-Pagination-Total-Count', text, '`_meta.totalCount`'),
  'X-Pagination-Page-Count': header('X-Pagination-Page-Count', text, '`_meta.pageCount`'),
  'X-Pagination-Current-Page': header('X-Pagination-Current-Page', text, '`_meta.currentPage`'),
  'X-Pagination-Per-Page': header('X-Pagination-Per-Page', text, '`_meta.perPage`'),
  ...linked,
};

export const location = {
  Location: header('Location', text, 'Address of what was made.'),
};

export const replayed = {
  'Idempotency-Replayed': header(
    'Idempotency-Replayed',
    z.literal('true').optional(),
    'The answer was given to an earlier request with this `Idempotency-Key`; nothing was done now.',
  ),
};

/** V1 alone (V1-5). */
export const sessionToken = {
  'authentication-token': header(
    'authentication-token',
    sometimes,
    'The session’s token: send it as `Authorization: Bearer …` from now on. It may change from answer to answer; keep the last one.',
  ),
};

export const challenge = {
  'WWW-Authenticate': header('WWW-Authenticate', text, 'What is wrong with the credentials (RFC 6750).'),
};

/** Of a 403: what is outside of the grants has none. */
export const scopeChallenge = {
  'WWW-Authenticate': header(
    'WWW-Authenticate-for-scope',
    sometimes,
    'The OAuth scope that the token lacks, where it is that (RFC 6750).',
  ),
};

export const retryAfter = {
  'Retry-After': header('Retry-After', text, 'Seconds after which trying again may help.'),
};

export const accept = { Accept: header('Accept', text, 'The media types of a body.') };

export const cached = {
  'Cache-Control': header('Cache-Control', text, 'Whether and for how long the answer may be kept.'),
};

/** draft-ietf-httpapi-ratelimit-headers-11; absent on an answer that was given before. */
export const rateLimited = {
  RateLimit: header(
    'RateLimit',
    sometimes,
    'What is left of your quota (`r`) and after how many seconds more is (`t`): `"replay";r=59;t=600`.',
  ),
  'RateLimit-Policy': header(
    'RateLimit-Policy',
    sometimes,
    'Your quota (`q`) in any so many seconds (`w`): `"replay";q=60;w=600`.',
  ),
};
