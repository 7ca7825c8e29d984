import type { CryptoKey, JWTVerifyGetKey } from 'jose';
import { JOSENotSupported, JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { isJsonObject, type JsonObject } from '../shared/domain/transaction/transaction.ts';
import { cached } from '../shared/runtime/cached.ts';
import type { Clock } from '../shared/runtime/clock.ts';

/** The identity provider returned no key set, so the token cannot be verified. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

/** The keys of an issuer: a function that finds the key of a token. */
export type KeySetOf = (issuer: string) => JWTVerifyGetKey;

/** A sign-in waits for at most two requests to the identity provider. */
const productionLimits = { timeoutMs: 3_000 };

const configurationKeptMs = 60 * 60_000;

/**
 * After a failure of any kind, no request is made for this time, so that nobody waits for a provider that is down, and
 * an unusable document is not read at each sign-in.
 */
const failedForMs = 10_000;

/** Configurations and key sets of large providers have some 10 kB. */
const largestDocumentBytes = 1_000_000;

/**
 * The key sets of issuers, found by OpenID Connect Discovery 1.0 section 4. jose caches each for ten minutes, and reads
 * it again for an unknown `kid`, at most every 30 s (TH-12).
 */
export const createKeySets = (clock: Clock, { timeoutMs } = productionLimits): KeySetOf => {
  const known = new Map<string, () => Promise<JWTVerifyGetKey>>();
  return (issuer) => async (header, token) => {
    const keySet = known.get(issuer) ?? openKeySet(issuer, { clock, timeoutMs });
    known.set(issuer, keySet);
    try {
      const findKey = await keySet();
      return strong(await findKey(header, token));
    } catch (error) {
      throw isAboutToken(error) ? error : new KeySetUnavailable(undefined, { cause: error });
    }
  };
};

/** The key set has no key, or several, for this token. */
const isAboutToken = (error: unknown) =>
  [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some((kind) => error instanceof kind);

/** RFC 7518 section 3.3: jose accepts no smaller RSA key. The provider is at fault. */
const strong = <Key extends Awaited<ReturnType<JWTVerifyGetKey>>>(key: Key): Key => {
  const { modulusLength = 2048 } = (key as CryptoKey).algorithm as { modulusLength?: number };
  if (modulusLength < 2048) throw new Error('A key of the provider is too small');
  return key;
};

type Limits = { clock: Clock; timeoutMs: number };

const openKeySet = (issuer: string, { clock, timeoutMs }: Limits) => {
  const withRest = restAfterFailure(clock);
  return cached(() => discover(issuer, { withRest, timeoutMs }), { forMs: configurationKeptMs, clock });
};

type WithRest = <Value>(read: () => Promise<Value>) => Promise<Value>;

/** Reads something of a provider. A read that failed, for whatever reason, lets the next ones fail at once for a while. */
const restAfterFailure = (clock: Clock): WithRest => {
  let restsUntilMs = 0;
  return async (read) => {
    if (clock().getTime() < restsUntilMs) throw new Error('The provider failed a moment ago');
    try {
      return await read();
    } catch (error) {
      restsUntilMs = clock().getTime() + failedForMs;
      throw error;
    }
  };
};

/** A document that cannot be used is a failure, too, so what it must have is checked while it is read. */
const discover = (
  issuer: string,
  { withRest, timeoutMs }: { withRest: WithRest; timeoutMs: number },
): Promise<JWTVerifyGetKey> =>
  withRest(async () => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const options = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const { issuer: named, jwks_uri } = await readDocument(address, options);
    const keySet = new URL(String(jwks_uri));
    if (named !== issuer) throw new Error('The configuration is of another issuer');
    if (keySet.protocol !== new URL(issuer).protocol)
      throw new Error('The key set is less protected than its issuer');
    return createRemoteJWKSet(keySet, {
      timeoutDuration: timeoutMs,
      [customFetch]: (...request) => withRest(async () => Response.json(await readKeySet(...request))),
    });
  });

type FetchArguments = Parameters<typeof fetch>;

const readKeySet = async (...request: FetchArguments): Promise<JsonObject> => {
  const document = await readDocument(...request);
  const { keys } = document;
  // jose refuses a set with anything but objects, and would ask for it again at each sign-in.
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isJsonObject))
    throw new Error('The key set has no keys, or one that is no object');
  return document;
};

/** A JSON object of the provider. */
const readDocument = async (...request: FetchArguments): Promise<JsonObject> => {
  const response = await fetch(...request);
  if (response.status !== 200) throw new Error(`The provider answered with ${response.status}`);
  const document: unknown = JSON.parse(await readText(response));
  if (!isJsonObject(document)) throw new Error('The document is not a JSON object');
  return document;
};

/** Stops in the middle of a body that is too large. A compressed one is counted unpacked. */
const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > largestDocumentBytes)
      throw new Error(`The document has more than ${largestDocumentBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};
