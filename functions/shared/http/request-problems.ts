import type { ListQueryOutcome } from '../domain/query/list-query.ts';
import { levelLimit, parameterLimit } from '../domain/query/parameters.ts';
import { type Problem, problem } from './problem.ts';

type QueryFault = Exclude<ListQueryOutcome, { ok: true }>;

/** 400 for a query that nobody reads (QS-1), 422 with every faulty filter at once (FLT-2). */
export const queryProblem = (fault: QueryFault): Problem => {
  switch (fault.reason) {
    case 'too-many-parameters':
      return problem('bad-request', {
        detail: `A request may have at most ${parameterLimit} query parameters.`,
      });
    case 'too-many-levels':
      return problem('bad-request', {
        detail: `A query parameter may have at most ${levelLimit} levels of brackets.`,
      });
    case 'invalid-filter':
      return problem('invalid-parameters', { errors: fault.errors });
    default:
      return fault satisfies never;
  }
};
