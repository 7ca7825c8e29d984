import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { VerifyAccessToken } from '../../../functions/shared/auth/access-token.ts';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { claimsOf } from '../builders/a-partner.ts';
import { createMemoryDenylist } from '../memory/denylist.ts';
import { withoutPartnerRate } from '../memory/request-counts.ts';
import { createMemorySessions } from '../memory/sessions.ts';

/** A token is a client id with OAuth scopes before it, such as `read.write.<id>`; one without any has the usual ones. */
export const tokensWith =
  (...usual: string[]): VerifyAccessToken =>
  async (token) => {
    const [clientId, ...named] = token.split('.').reverse();
    if (!clientId) return refuse('wrong-claims');
    const scopes = named.length > 0 ? named : usual;
    return succeed(
      claimsOf(
        clientId,
        scopes.map((name) => `nop2/${name}`),
      ),
    );
  };

/** Random bytes that every run of a test repeats. */
export const countedBytes = () => {
  let calls = 0;
  return (size: number) => {
    calls += 1;
    return createHash('sha512').update(String(calls)).digest().subarray(0, size);
  };
};

/** A key that signs sessions. */
export const aSessionKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'session-1', alg: 'ES256', use: 'sig' };
};

/** What each function of V2 needs beside its stores: nobody is counted, revoked or logged. */
export const partsOfV2 = () => ({
  denylist: createMemoryDenylist(),
  ...withoutPartnerRate(),
  baseUrl: 'https://api.example',
  resourceMetadata: 'https://api.example/.well-known/oauth-protected-resource/api/v2',
  log: () => {},
});

/** Writes are tried again at once. */
export const withoutDelays = { random: () => 0, sleep: async () => {} };

/** What V1 needs for sign-ins, where nobody signs in. */
export const withoutSignIn = () => ({
  sessions: createMemorySessions(),
  verifyIdToken: async () => refuse('invalid-token' as const),
  readUserKey: async () => 'the key of users',
});
