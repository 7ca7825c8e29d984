import type { FieldError } from '../domain/query/filter.ts';
import { findJsonFault, inexactNumber, printablePath } from '../domain/transaction/json-limits.ts';
import { largestTransactionBytes } from '../domain/transaction/size.ts';
import { parseStrictJson, type StrictJsonRefusal } from '../domain/transaction/strict-json.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import { mediaTypeOf } from './media-type.ts';
import { bodyBytes, type HttpEvent, headerValues } from './request.ts';

export type BodyFault =
  | { reason: 'unsupported-type' | 'unsupported-encoding' }
  | { reason: 'too-large'; mostBytes: number }
  | { reason: 'not-utf-8' | 'not-json' | 'not-an-object' }
  | { reason: 'invalid-members' | 'number-out-of-range'; errors: FieldError[] };

/** A body's object, and its bytes, by which two bodies are compared. */
export type JsonBody = { value: JsonObject; bytes: Buffer };
export type JsonBodyOutcome = { ok: true; value: JsonBody } | { ok: false; fault: BodyFault };

/** Whether the request has a body. */
export const hasBody = ({ body }: Pick<HttpEvent, 'body'>): boolean => body !== null && body !== '';

/**
 * The JSON object of a request: declared as JSON, within the size limit, strict, and with values that can be stored
 * exactly (WR-4).
 */
export const readJsonBody = (event: HttpEvent, mostBytes = largestTransactionBytes): JsonBodyOutcome => {
  if (isCoded(event)) return fail({ reason: 'unsupported-encoding' });
  if (!saysJson(event)) return fail({ reason: 'unsupported-type' });
  const bytes = bodyBytes(event);
  if (bytes.length > mostBytes) return fail({ reason: 'too-large', mostBytes });
  if (!isWellFormed(event)) return fail({ reason: 'not-utf-8' });
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return fail(bodyFault(parsed));
  const fault = findJsonFault(parsed.value);
  if (!fault) return { ok: true, value: { value: parsed.value, bytes } };
  return fail(invalidMember(fault.path, `The member ${fault.reason}.`));
};

const fail = (fault: BodyFault) => ({ ok: false, fault }) as const;

/** Codings are names of any letter case in a list, whose empty members do not count (RFC 9110 sections 5.6.1 and 8.4). */
const isCoded = (event: HttpEvent) =>
  headerValues(event, 'Content-Encoding')
    .flatMap((list) => list.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => coding !== '' && coding !== 'identity');

/** JSON, or a JSON merge patch (RFC 7396). */
const jsonTypes = ['application/json', 'application/merge-patch+json'];

/** JSON in UTF-8, its only encoding. Other parameters say nothing of it. */
const saysJson = (event: HttpEvent) => {
  const { type = '', parameters } = mediaTypeOf(event) ?? {};
  if (!jsonTypes.includes(type) || !parameters) return false;
  return parameters.every(({ name, value }) => name !== 'charset' || value.toLowerCase() === 'utf-8');
};

/** A lone surrogate would be replaced when the text becomes bytes. */
const isWellFormed = ({ body, isBase64Encoded }: HttpEvent) =>
  isBase64Encoded || body?.isWellFormed() !== false;

const bodyFault = (refusal: StrictJsonRefusal): BodyFault => {
  if (refusal.reason === 'repeated-name')
    return invalidMember(refusal.path, 'The object has this name twice.');
  if (refusal.reason === 'inexact-number') {
    const errors = [{ field: printablePath(refusal.path), message: `The member ${inexactNumber}.` }];
    return { reason: 'number-out-of-range', errors };
  }
  return { reason: refusal.reason };
};

const invalidMember = (field: string, message: string): BodyFault => ({
  reason: 'invalid-members',
  errors: [{ field, message }],
});
