import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import { leewaySeconds } from '../domain/token-standing.ts';
import { parseStrictJson } from '../domain/transaction/strict-json.ts';
import type { JsonObject, JsonValue } from '../domain/transaction/transaction.ts';
import type { SignatureRefusal } from './compact-jws.ts';
import { verifyCompactJws } from './compact-jws.ts';
import type { FindKey } from './verification-key.ts';

export type TokenRefusal =
  | SignatureRefusal
  | 'wrong-type'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-claims';

/** What distinguishes one kind of token from another (RFC 8725 section 3.12, TH-13). */
export type TokenKind = { typ: string; issuer: string; audience: string };

/**
 * The claims of a token of this kind that one of our keys signed and that is valid now, or the reason for its refusal.
 */
export const verifySignedToken = async (
  token: string,
  { kind, findKey, now }: { kind: TokenKind; findKey: FindKey; now: Date },
): Promise<Outcome<JsonObject, TokenRefusal>> => {
  const signed = await verifyCompactJws(token, findKey);
  if (!signed.ok) return signed;
  if (!isOfType(signed.value.header.typ, kind.typ)) return refuse('wrong-type');
  const claims = parseStrictJson(signed.value.payload);
  if (!claims.ok) return refuse('wrong-claims');
  const reason = whyNotValid(claims.value, kind, now.getTime() / 1000);
  return reason ? refuse(reason) : succeed(claims.value);
};

/** RFC 7515 section 4.1.9: the prefix `application/` is optional, and media types are case-insensitive. */
const isOfType = (typ: JsonValue | undefined, expected: string) =>
  typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === expected;

const whyNotValid = (claims: JsonObject, kind: TokenKind, nowSeconds: number): TokenRefusal | undefined => {
  const { iss, aud, exp, iat, nbf = iat } = claims;
  if (iss !== kind.issuer) return 'wrong-issuer';
  if (!names(aud, kind.audience)) return 'wrong-audience';
  if (!isTime(exp) || !isTime(iat) || !isTime(nbf)) return 'wrong-claims';
  // Without leeway: a token stops working when `expires_in` says (interface 5).
  if (exp <= nowSeconds) return 'expired';
  return Math.max(iat, nbf) - leewaySeconds > nowSeconds ? 'not-yet-valid' : undefined;
};

const names = (aud: JsonValue | undefined, audience: string) =>
  Array.isArray(aud)
    ? aud.includes(audience) && aud.every((one) => typeof one === 'string')
    : aud === audience;

/** `1e400` is a number in JSON and infinite in JavaScript. */
const isTime = (value: JsonValue | undefined): value is number => Number.isFinite(value);
