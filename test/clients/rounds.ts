import type { Credentials } from '../support/stage/partner-client.ts';
import type { ForeignClient } from './foreign-client.ts';

/** What the rounds of one client came to. */
export type Tally = { name: string; rounds: number; requests: number; refusals: string[]; kids: Set<string> };

export const emptyTally = (name: string): Tally => ({
  name,
  rounds: 0,
  requests: 0,
  refusals: [],
  kids: new Set(),
});

/**
 * Fetch, use, introspect, revoke; then the token is inactive and used in vain, while an early one still works. What is
 * answered otherwise is a refusal.
 */
export const oneRound = async (
  client: ForeignClient,
  { credentials, early }: { credentials: Credentials; early?: string | undefined },
  tally: Tally,
): Promise<void> => {
  const expectAnswer = async <Answer>(what: string, wanted: Answer, answer: Promise<Answer>) => {
    tally.requests += 1;
    const got = await answer;
    if (wanted !== undefined && got !== wanted) throw new Error(`${what}: ${got}`);
    return got;
  };
  try {
    const token = await expectAnswer<string | undefined>('token', undefined, client.fetch(credentials));
    if (!token) throw new Error('no token');
    tally.kids.add(kidOf(token));
    await expectAnswer('V2', 200, client.use(token, credentials));
    await expectAnswer('introspection', true, client.introspect(token, credentials));
    await expectAnswer('revocation', undefined, client.revoke(token, credentials));
    await expectAnswer('introspection of a revoked token', false, client.introspect(token, credentials));
    await expectAnswer('V2 with a revoked token', 401, client.use(token, credentials));
    if (early) await expectAnswer('V2 with an early token', 200, client.use(early, credentials));
  } catch (fault) {
    tally.refusals.push(fault instanceof Error ? fault.message : String(fault));
  }
  tally.rounds += 1;
};

/** A token for all rounds. Undefined if it was refused. */
export const earlyToken = (client: ForeignClient, credentials: Credentials, tally: Tally) =>
  client.fetch(credentials).catch((fault: unknown) => {
    tally.refusals.push(String(fault));
    return undefined;
  });

export const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
