import type { OwnershipRefusal } from '../domain/ownership/ownership.ts';
import { type Problem, problem } from './problem.ts';

/** OWN-1. The ambiguous case is the caller's to mend, so it is told what is missing. */
export const ownershipProblem = (reason: OwnershipRefusal, detail: string): Problem => {
  switch (reason) {
    case 'no-storefront':
      return problem('forbidden', { detail });
    case 'several-franchises':
      return problem('invalid-parameters', {
        errors: [{ field: 'franchise', message: 'The location has several franchises; name one.' }],
      });
    default:
      return reason satisfies never;
  }
};
