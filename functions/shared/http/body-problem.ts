import type { FieldError } from '../domain/query/filter.ts';
import { type BodyFault, largestBodyBytes } from './json-body.ts';
import { type Problem, problem } from './problem.ts';

/** 400 for what is no JSON object, 413, 415, and 422 with the members that are at fault (WR-4). */
export const bodyProblem = (fault: BodyFault): Problem => {
  switch (fault.reason) {
    case 'unsupported-type':
      return problem('unsupported-media-type', {
        headers: { Accept: 'application/json, application/merge-patch+json' },
      });
    case 'too-large':
      return tooLarge(`A body may have at most ${largestBodyBytes} bytes.`);
    case 'not-utf-8':
      return problem('bad-request', { detail: 'The body is not UTF-8.' });
    case 'not-json':
      return problem('bad-request', { detail: 'The body is not JSON.' });
    case 'not-an-object':
      return problem('bad-request', { detail: 'The body is not a JSON object.' });
    case 'invalid-members':
      return invalidMembers(fault.errors);
    default:
      return fault satisfies never;
  }
};

/** More help nobody, and a body of 100 kB can have 50,000. */
const mostNamed = 100;

/** 422 with every refused member, or the first of very many (V1-6, S-13). */
export const invalidMembers = (errors: readonly FieldError[]): Problem => {
  const named = errors.length > mostNamed ? `the first ${mostNamed} of ${errors.length}` : 'each';
  return problem('invalid-parameters', {
    detail: `Some members of the body are invalid; errors names ${named} of them.`,
    errors: errors.slice(0, mostNamed),
  });
};

/** 413; the limit stands in the text (WR-4). */
export const tooLarge = (detail: string): Problem => problem('content-too-large', { detail });
