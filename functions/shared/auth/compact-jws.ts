import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import { parseStrictJson } from '../domain/transaction/strict-json.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import type { FindKey, VerificationKey } from './verification-key.ts';

export type SignatureRefusal = 'too-long' | 'malformed' | 'unknown-key' | 'wrong-algorithm' | 'bad-signature';

export type SignedContent = { header: JsonObject; payload: Uint8Array };

/** Our tokens are under 1 kB. A longer text is not parsed. */
const longestToken = 8192;

/**
 * Whether a text is three parts, each the only base64url spelling of its bytes, so that one token has one text (TOK-4,
 * TH-11). Checked before any token is verified, of whatever kind, because Node's and jose's decoders skip characters
 * that they do not know.
 */
export const isCanonicalToken = (token: string): boolean => {
  const parts = token.split('.');
  const [header, , signature] = parts;
  return parts.length === 3 && header !== '' && signature !== '' && parts.every(isCanonical);
};

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

/** RFC 7515 section 5.2 for the compact serialization. */
export const verifyCompactJws = async (
  token: string,
  findKey: FindKey,
): Promise<Outcome<SignedContent, SignatureRefusal>> => {
  if (token.length > longestToken) return refuse('too-long');
  const header = isCanonicalToken(token) ? readHeader(token) : undefined;
  if (!header) return refuse('malformed');
  const key = await findKey(textOrNothing(header.kid));
  if (!key) return refuse('unknown-key');
  if (header.alg !== key.alg) return refuse('wrong-algorithm');
  return verifySignature(token, header, key);
};

const readHeader = (token: string): JsonObject | undefined => {
  const [header = ''] = token.split('.');
  const fields = parseStrictJson(Buffer.from(header, 'base64url'));
  return fields.ok && !hasExtension(fields.value) ? fields.value : undefined;
};

/** No extension is supported, not even `b64` of RFC 7797. */
const hasExtension = (header: JsonObject) => Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64');

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

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
