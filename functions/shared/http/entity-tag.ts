import { createHash } from 'node:crypto';
import { type HttpEvent, headerValues } from './request.ts';

/** The tag of a list: weak, over its body (COND-1). */
export const weakTag = (body: string): string => `W/"${digestOf(body)}"`;

/** The tag of one transaction: strong, its version first, so that `If-Match` can compare that part alone (WR-2). */
export const strongTag = (version: number, body: string): string => `"${version}.${digestOf(body)}"`;

/** Weak comparison of `If-None-Match` with a tag of ours (RFC 9110 section 13.1.2). */
export const matchesNone = (event: Pick<HttpEvent, 'multiValueHeaders'>, tag: string): boolean => {
  const asked = headerValues(event, 'If-None-Match').join(',');
  if (asked.trim() === '*') return false;
  const askedTags: string[] = asked.match(/"[^"]*"/g) ?? [];
  return !askedTags.includes(opaquePart(tag));
};

/**
 * Whether `If-Match` lets a write happen on this version (WR-2): it names no tag, any, or a strong tag of ours whose
 * version part is this one. A weak tag matches nothing (RFC 9110 section 13.1.1).
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
