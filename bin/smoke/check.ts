import type { Expectation } from './answer.ts';
import type { Visit } from './visit.ts';

/** One look at a deployed stage. Its title begins with the ids of what it shows (docs/rules.md). */
export type Check = {
  title: string;
  /** Why it is not looked at this time; undefined where it is. */
  unless?: (visit: Visit) => string | undefined;
  look: (visit: Visit) => Promise<Expectation[]>;
  /** What to do when it fails. */
  mend: string;
};

/** What one look came to. */
export type Result =
  | { title: string; state: 'passed' }
  | { title: string; state: 'failed'; expected: string; came: string; mend: string }
  | { title: string; state: 'skipped'; why: string };

/** Looks once. No answer at all is a failure like a wrong one. */
export const runCheck = async ({ title, unless, look, mend }: Check, visit: Visit): Promise<Result> => {
  const why = unless?.(visit);
  if (why !== undefined) return { title, state: 'skipped', why };
  const failed = ({ expected, came }: Omit<Expectation, 'holds'>): Result => ({
    ...{ title, state: 'failed', expected, came, mend },
  });
  try {
    const wrong = (await look(visit)).find(({ holds }) => !holds);
    return wrong ? failed(wrong) : { title, state: 'passed' };
  } catch (error) {
    return failed({ expected: 'an answer', came: sentenceOf(error) });
  }
};

/** The cause says more than fetch's own "fetch failed". */
const sentenceOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** For checks of a caller that is let in. */
export const withoutPartner = ({ partner }: Visit): string | undefined =>
  partner ? undefined : 'there is no partner to ask as';

/** For checks that write: only into the group of their own. */
export const withoutGuest = ({ guest }: Visit): string | undefined =>
  guest ? undefined : 'it would write, and the partner is not one of its own';

/** For what API Gateway does, and the local stage does not. */
export const withoutGateway = ({ gatewayUrls }: Visit): string | undefined =>
  gatewayUrls.length === 0 ? 'the stage is on this machine' : undefined;
