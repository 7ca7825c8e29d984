import type { Report } from '../deploy/report.ts';
import type { Answer, Journey } from './world.ts';

/** Proves the steps of a journey in their order; `missing` has those that the place cannot pass, and why. */
export const proveJourney = async <In extends { answers: readonly Answer[] }>(
  report: Report,
  { name, steps }: Journey<In>,
  world: In,
  missing: Readonly<Record<string, string>> = {},
): Promise<void> => {
  report.announce(name);
  for (const { title, check, isFoundation, mend } of steps) {
    const attempt = () => advised(world, mend, () => check(world));
    const why = missing[title];
    if (isFoundation) await report.need(title, attempt);
    else if (why !== undefined) await report.miss(title, { why, attempt });
    else await report.prove(title, attempt);
  }
};

/** A fault says the last answer, too, by whose id the logs are found, and what to do. */
export const advised = <Value>(
  { answers }: { answers: readonly Answer[] },
  mend: string | undefined,
  attempt: () => Promise<Value>,
): Promise<Value> => attempt().catch((fault: unknown) => explain(fault, answers.at(-1), mend));

/** The cause says more than fetch's own "fetch failed". */
const explain = (fault: unknown, last: Answer | undefined, mend: string | undefined): never => {
  const { message, cause } = fault as Error;
  const answered = last && `the last answer: ${last.status} to ${last.request}, ${idOf(last)}`;
  const lines = [message, cause instanceof Error && cause.message, answered, mend && `→ ${mend}`];
  throw new Error(lines.filter(Boolean).join('\n'));
};

const idOf = ({ headers }: Answer) => `Request-Id ${headers.get('Request-Id') ?? 'none'}`;
