import { createHash } from 'node:crypto';
import { type HttpEvent, headerValues } from './request.ts';

/** The tag of a list: weak, a hash of its body (COND-1). */
export const weakTag = (body: string): string => `W/"${digestOf(body)}"`;

/**
 * The tag of one transaction: strong, beginning with its version, so that `If-Match` can compare that part alone
 * (WR-2).
 */
export const strongTag = (version: number, body: string): string => `"${version}.${digestOf(body)}"`;

/** Weak comparison of `If-None-Match` with one of our tags (RFC 9110 section 13.1.2). */
export const matchesNone = (event: Pick<HttpEvent, 'multiValueHeaders'>, tag: string): boolean => {
  const asked = headerValues(event, 'If-None-Match').join(',');
  if (asked.trim() === '*') return false;
  const askedTags: string[] = asked.match(/"[^"]*"/g) ?? [];
  return !askedTags.includes(opaquePart(tag));
};

/**
 * Whether `If-Match` permits a write on this version (WR-2): it is absent, `*`, or a strong tag of ours with this
 * version. A weak tag matches nothing (RFC 9110 section 13.1.1).
 */
export const matchesVersion = (event: Pick<HttpEvent, 'multiValueHeaders'>, version: number): boolean => {
  const values = headerValues(event, 'If-Match');
  if (values.length === 0) return true;
  const asked = values.join(',').trim();
  if (asked === '*') return true;
  const tags: string[] = asked.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.startsWith(`"${version}.`));
};

const opaquePart = (tag: string) => tag.replace(/^W\//, '');
const digestOf = (body: string) => createHash('sha256').update(body).digest('base64url').slice(0, 22);
