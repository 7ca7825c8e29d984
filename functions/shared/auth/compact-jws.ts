import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import { repeatedName } from '../domain/transaction/json-limits.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import type { FindKey, VerificationKey } from './verification-key.ts';

export type SignatureRefusal = 'too-long' | 'malformed' | 'unknown-key' | 'wrong-algorithm' | 'bad-signature';

export type SignedContent = { header: JsonObject; payload: Uint8Array };

/** Ours are under 1 kB; what is longer is not looked at. */
const longestToken = 8192;

/**
 * RFC 7515 section 5.2 for the compact form. The spelling is judged first (TOK-4): three parts that are the only way to
 * write their bytes, so that one token is one string (R-32, TH-11).
 */
export const verifyCompactJws = async (
  token: string,
  findKey: FindKey,
): Promise<Outcome<SignedContent, SignatureRefusal>> => {
  if (token.length > longestToken) return refuse('too-long');
  const header = readHeader(token);
  if (!header) return refuse('malformed');
  const key = await findKey(textOrNothing(header.kid));
  if (!key) return refuse('unknown-key');
  if (header.alg !== key.alg) return refuse('wrong-algorithm');
  return verifySignature(token, header, key);
};

const readHeader = (token: string): JsonObject | undefined => {
  const parts = token.split('.');
  const [header, , signature] = parts;
  if (parts.length !== 3 || !header || !signature || !parts.every(isCanonical)) return undefined;
  const fields = parseJsonObject(Buffer.from(header, 'base64url'));
  // No extension is understood here, `b64` of RFC 7797 neither.
  return fields && !Object.hasOwn(fields, 'crit') && !Object.hasOwn(fields, 'b64') ? fields : undefined;
};

/** Node's decoder skips what it does not know: only what comes back unchanged was base64url. */
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

const verifySignature = async (
  token: string,
  header: JsonObject,
  { alg, jwk }: VerificationKey,
): Promise<Outcome<SignedContent, SignatureRefusal>> => {
  try {
    const { payload } = await compactVerify(token, jwk, { algorithms: [alg] });
    return succeed({ header, payload });
  } catch (error) {
    if (error instanceof JWSSignatureVerificationFailed) return refuse('bad-signature');
    if (error instanceof JOSEError) return refuse('malformed');
    throw error;
  }
};

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** A JSON object in UTF-8 whose every name stands once in its object, or undefined. */
export const parseJsonObject = (bytes: Uint8Array): JsonObject | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value) && repeatedName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
