import type { RatePolicy, RateStanding } from '../domain/rate-limit.ts';
import { type Problem, problem } from './problem.ts';
import type { ResponseHeaders } from './response.ts';

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4: lists with a member for each policy. */
export const addStanding = (
  headers: ResponseHeaders = {},
  { name, quota, windowSeconds }: RatePolicy,
  { remaining, resetSeconds }: RateStanding,
): ResponseHeaders => ({
  ...headers,
  'RateLimit-Policy': withMember(headers['RateLimit-Policy'], `"${name}";q=${quota};w=${windowSeconds}`),
  RateLimit: withMember(headers.RateLimit, `"${name}";r=${remaining};t=${resetSeconds}`),
});

const withMember = (list: string | undefined, member: string) =>
  list === undefined ? member : `${list}, ${member}`;

/** 429 until the next window. */
export const tooManyRequests = ({ resetSeconds }: RateStanding): Problem =>
  problem('too-many-requests', { headers: { 'Retry-After': String(resetSeconds) } });
