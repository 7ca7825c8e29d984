import type { FieldError } from '../domain/query/filter.ts';
import { findJsonFault, repeatedName } from '../domain/transaction/json-limits.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import { type HttpEvent, headerValues } from './request.ts';

/** WR-4: a body has at most as many bytes as a transaction. */
export const largestBodyBytes = 100_000;

export type BodyFault =
  | { reason: 'unsupported-type' }
  | { reason: 'too-large' }
  | { reason: 'not-utf-8' }
  | { reason: 'not-json' }
  | { reason: 'not-an-object' }
  | { reason: 'invalid-members'; errors: FieldError[] };

/** A body's object, and its bytes for whoever compares bodies (WR-1). */
export type JsonBody = { value: JsonObject; bytes: Buffer };
export type JsonBodyOutcome = { ok: true; value: JsonBody } | { ok: false; fault: BodyFault };

/** The JSON object that a request carries: strict UTF-8, bounded, and every name once in its object (WR-4, S-37). */
export const readJsonBody = (event: HttpEvent): JsonBodyOutcome => {
  if (!saysJson(event)) return fail({ reason: 'unsupported-type' });
  const bytes = bytesOf(event);
  if (bytes.length > largestBodyBytes) return fail({ reason: 'too-large' });
  const text = textOf(event, bytes);
  if (text === undefined) return fail({ reason: 'not-utf-8' });
  const value = parse(text);
  if (value === undefined) return fail({ reason: 'not-json' });
  if (!isObject(value)) return fail({ reason: 'not-an-object' });
  const errors = memberErrors(text, value);
  return errors.length > 0
    ? fail({ reason: 'invalid-members', errors })
    : { ok: true, value: { value, bytes } };
};

/** Whether the request has a body at all. */
export const hasBody = ({ body }: Pick<HttpEvent, 'body'>): boolean => body !== null && body !== '';

const fail = (fault: BodyFault) => ({ ok: false, fault }) as const;

/** JSON itself, or a merge patch of it (RFC 7396), in the only encoding that JSON has; never compressed. */
const mediaType = /^application\/(?:merge-patch\+)?json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

const saysJson = (event: HttpEvent) => {
  const [type, ...others] = headerValues(event, 'Content-Type');
  const isCoded = headerValues(event, 'Content-Encoding').some((coding) => coding !== 'identity');
  return others.length === 0 && !isCoded && mediaType.test((type ?? '').trim());
};

const bytesOf = ({ body, isBase64Encoded }: HttpEvent) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** Undefined for what is no UTF-8. */
const textOf = ({ body, isBase64Encoded }: HttpEvent, bytes: Buffer) => {
  if (!isBase64Encoded && body?.isWellFormed() === false) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberErrors = (text: string, value: JsonObject): FieldError[] => {
  const repeated = repeatedName(text);
  if (repeated !== undefined) return [{ field: repeated, message: 'The name stands twice in its object.' }];
  const fault = findJsonFault(value);
  return fault ? [{ field: fault.path, message: `The member ${fault.reason}.` }] : [];
};
