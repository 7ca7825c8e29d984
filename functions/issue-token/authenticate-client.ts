import { presentedSecret } from '../shared/auth/client-secret.ts';
import type { Peppers, ReadPeppers } from '../shared/auth/peppers.ts';
import { isActive, type StoredSecret } from '../shared/domain/partner.ts';
import type { RefusalCause } from '../shared/domain/wrong-secrets.ts';
import type { CredentialsReader, UsedCredentials } from '../shared/store/partners/credentials.ts';
import type { PresentedClient } from './client-authentication.ts';
import type { GuessLimiter } from './guess-limiter.ts';

export type AuthenticationDeps = {
  partners: CredentialsReader;
  readPeppers: ReadPeppers;
  limiter: GuessLimiter;
};

/** A client that authenticated, and the secret that it used. */
export type AuthenticatedClient = { profile: UsedCredentials; secret: StoredSecret; peppers: Peppers };

export type ClientRefusal =
  | { ok: false; reason: 'invalid-client'; cause: RefusalCause }
  | { ok: false; reason: 'guessing'; cause: 'guessing'; untilMs: number };

type Authentication = { ok: true; value: AuthenticatedClient } | ClientRefusal;

/**
 * Refuses an unknown client, a disabled one, a wrong secret and an ended one alike, after the same work (O-16). After
 * too many wrong secrets even the right one is refused for a while: otherwise the answer would tell which one is right
 * (O-55).
 */
export const authenticateClient = async (
  { clientId, clientSecret }: PresentedClient,
  { network, now }: { network: string; now: Date },
  { partners, readPeppers, limiter }: AuthenticationDeps,
): Promise<Authentication> => {
  if (!isPossibleId(clientId)) return { ok: false, reason: 'invalid-client', cause: 'impossible-client' };
  const [guesser, nowMs] = [{ clientId, network }, now.getTime()];
  const knownUntilMs = limiter.remembered(guesser, nowMs);
  if (knownUntilMs !== undefined) return guessing(knownUntilMs);
  const [profile, peppers] = await Promise.all([partners.credentialsOf(clientId), readPeppers()]);
  const secret = presentedSecret(clientSecret, profile?.secrets ?? [], peppers);
  const client = judge(profile, secret, nowMs);
  const count = client.ok ? limiter.afterRight : limiter.afterWrong;
  const untilMs = await count(guesser, peppers.texts.get(peppers.newest) ?? '', nowMs);
  if (untilMs !== undefined) return guessing(untilMs);
  return client.ok ? { ok: true, value: { ...client.value, peppers } } : client;
};

const guessing = (untilMs: number) =>
  ({ ok: false, reason: 'guessing', cause: 'guessing', untilMs }) as const;

/** An id has 26 characters. A longer text may be a secret (64) in its place, so it must not be logged. */
export const isPossibleId = (clientId: string) => /^[A-Za-z0-9]{1,32}$/.test(clientId);

const judge = (
  profile: UsedCredentials | undefined,
  secret: StoredSecret | undefined,
  nowMs: number,
): { ok: true; value: { profile: UsedCredentials; secret: StoredSecret } } | ClientRefusal => {
  const refused = (cause: RefusalCause) => ({ ok: false, reason: 'invalid-client', cause }) as const;
  if (!profile) return refused('unknown-client');
  if (!secret) return refused('wrong-secret');
  if (!isActive(secret, nowMs)) return refused('ended-secret');
  return profile.partner.enabled ? { ok: true, value: { profile, secret } } : refused('disabled-client');
};
