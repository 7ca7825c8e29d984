import type { Outcome } from '../../domain/outcome.ts';
import { OperatorRefusal } from '../operator-refusal.ts';

/** Every reason for which a command does nothing. */
export type Reason =
  | 'already-granted'
  | 'changed-meanwhile'
  | 'grant-form'
  | 'name-taken'
  | 'no-partner'
  | 'no-storefront'
  | 'no-transaction'
  | 'not-deleted'
  | 'not-found'
  | 'not-granted'
  | 'owner-taken';

/** The value of an outcome; without one, a refusal that says so in a sentence about the subject. */
export const valueOrRefusal = <Value>(outcome: Outcome<Value, Reason>, subject: string): Value => {
  if (outcome.ok) return outcome.value;
  throw new OperatorRefusal(sentence(outcome.reason, subject));
};

const sentence = (reason: Reason, subject: string): string => {
  switch (reason) {
    case 'already-granted':
      return `It already has the grant ${subject}.`;
    case 'changed-meanwhile':
      return `${subject} was changed by somebody else meanwhile: try again.`;
    case 'grant-form':
      return `"${subject}" is not a grant: write group=G, optionally followed by ,franchise=F and ,location=L.`;
    case 'name-taken':
      return `The name "${subject}" is taken: choose another one.`;
    case 'no-partner':
      return `There is no partner "${subject}": "partner list" shows all.`;
    case 'no-storefront':
      return `There is no storefront "${subject}": "storefront list" shows all.`;
    case 'no-transaction':
      return `There is no transaction ${subject}.`;
    case 'not-deleted':
      return `The transaction ${subject} is not deleted: there is nothing to restore.`;
    case 'not-found':
      return `${subject} was removed by somebody else meanwhile.`;
    case 'not-granted':
      return `It has no grant ${subject}: "partner show" lists what it has.`;
    case 'owner-taken':
      return `The location of "${subject}" belongs to another storefront already: "storefront list" shows which.`;
    default:
      return reason satisfies never;
  }
};
