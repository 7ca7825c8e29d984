import type { OwnershipClaim, OwnershipRefusal } from '../domain/ownership/ownership.ts';
import type { FieldError } from '../domain/query/filter.ts';
import type { ListQueryOutcome } from '../domain/query/list-query.ts';
import { levelLimit, parameterLimit } from '../domain/query/parameters.ts';
import { bytesText, type SizeFault } from '../domain/transaction/size.ts';
import type { BodyFault } from './json-body.ts';
import { type Problem, problem } from './problem.ts';

type QueryFault = Exclude<ListQueryOutcome, { ok: true }>;

/** 400 for a query above the limits (QS-1), 422 for faulty filters, all at once. */
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
    case 'unfitting-cursor':
      return problem('unfitting-cursor', { errors: fault.errors });
    default:
      return fault satisfies never;
  }
};

/** The problem of a refused body: 400, 413, 415, or 422 with the members at fault (WR-4). */
export const bodyProblem = (fault: BodyFault): Problem => {
  switch (fault.reason) {
    case 'unsupported-type':
      return problem('unsupported-media-type', { headers: acceptable });
    case 'unsupported-encoding':
      return problem('unsupported-content-encoding', { headers: acceptable });
    case 'too-large':
      return problem('content-too-large', {
        detail: `A body may have at most ${bytesText(fault.mostBytes)}.`,
      });
    case 'not-utf-8':
      return problem('malformed-body', { detail: 'The body is not UTF-8.' });
    case 'not-json':
      return problem('malformed-body', { detail: 'The body is not JSON.' });
    case 'not-an-object':
      return problem('malformed-body', { detail: 'The body is not a JSON object.' });
    case 'invalid-members':
      return invalidMembers(fault.errors);
    case 'number-out-of-range':
      return problem('number-out-of-range', { errors: fault.errors });
    default:
      return fault satisfies never;
  }
};

/** The accepted media types and encodings (RFC 9110, 15.5.16). */
const acceptable = {
  Accept: 'application/json, application/merge-patch+json',
  'Accept-Encoding': 'identity',
};

/** More would help no caller, and a body of 100 kB can have 50,000. */
const mostNamed = 100;

/** 422 with every refused member, up to a limit (S-13). */
export const invalidMembers = (errors: readonly FieldError[]): Problem => {
  const named = errors.length > mostNamed ? `the first ${mostNamed} of ${errors.length}` : 'each';
  return problem('invalid-parameters', {
    detail: `Some members of the body are invalid; errors names ${named} of them.`,
    errors: errors.slice(0, mostNamed),
  });
};

/** 413. The text names the limit. */
export const tooLarge = ({ reason, detail }: SizeFault): Problem => problem(reason, { detail });

/** 403 without a storefront, 422 if the caller can mend the request by naming a franchise (OWN-1). */
export const ownershipProblem = (
  reason: OwnershipRefusal,
  { claim, detail }: { claim: OwnershipClaim; detail: string },
): Problem => {
  switch (reason) {
    case 'no-storefront':
      return problem('no-storefront', { detail, ...errorsOf(claim, detail) });
    case 'several-franchises':
      return problem('several-franchises', {
        errors: [{ field: 'franchise', message: 'The location has several franchises. Name one.' }],
      });
    default:
      return reason satisfies never;
  }
};

/** A caller that named no location has no member to mend. */
const errorsOf = (claim: OwnershipClaim, message: string) => {
  const [field] = Object.keys(claim);
  return field === undefined ? {} : { errors: [{ field, message }] };
};
