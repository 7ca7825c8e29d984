import { type Check, type Result, runCheck } from './check.ts';
import { farewell, welcomeGuest } from './guest.ts';
import type { Guest, Visit } from './visit.ts';

/** A run: how the stage is reached, and who asks. */
type Run = {
  visit: Visit;
  checks: readonly Check[];
  /** The operator's tool, which makes a partner for the run; absent where the partner is given. */
  operator?: Guest['operator'];
  id: string;
  /** Told of each result as it comes. */
  tell: (result: Result) => void;
  /** Whether a person has asked for the end: only what was made is taken away then. */
  isStopped: () => boolean;
};

/** Makes what a run needs, looks at everything, one after the other, and takes away what was made. */
export const runSmoke = async (run: Run): Promise<Result[]> => {
  const results: Result[] = [];
  const tell = (result: Result) => {
    results.push(result);
    run.tell(result);
  };
  const visit = await welcomed(run, tell);
  for (const check of run.checks) if (!run.isStopped()) tell(await runCheck(check, visit));
  if (visit.guest) tell(await runCheck(farewell, visit));
  return results;
};

/** Where no partner can be made, what anybody may ask is still looked at. */
const welcomed = async ({ visit, operator, id }: Run, tell: (result: Result) => void): Promise<Visit> => {
  if (!operator) return visit;
  const { receiver } = visit;
  let guest: Guest | undefined;
  const check: Check = {
    title: "RUN-5 the operator's tool makes a partner and a storefront for the run",
    look: async () => {
      guest = await welcomeGuest(operator, { id, receiver });
      return [];
    },
    mend: 'the sentence is of the tool; with SMOKE_CLIENT_ID and SMOKE_CLIENT_SECRET of a partner nothing is made, and only reads are looked at',
  };
  tell(await runCheck(check, visit));
  return guest ? { ...visit, guest, partner: guest } : visit;
};
