import type { Outcome } from '../../functions/shared/domain/outcome.ts';
import type { EndpointQuota } from '../../functions/shared/outbound/endpoint/quota.ts';
import { UserError } from './user-error.ts';

/** Every reason for which a command changes nothing. */
export type RefusalReason =
  | 'already-granted'
  | 'being-withheld'
  | 'changed-meanwhile'
  | 'erased'
  | 'issuer-taken'
  | 'name-taken'
  | 'no-key'
  | 'no-partner'
  | 'no-recipient'
  | 'no-rotation'
  | 'no-storefront'
  | 'no-transaction'
  | 'no-webhook'
  | 'not-deleted'
  | 'not-found'
  | 'not-granted'
  | 'only-key'
  | 'owner-taken'
  | 'rotation-announced'
  | 'rotation-unfinished';

/** The value of an outcome. Throws a UserError with a sentence about the subject where it is refused. */
export const valueOrUserError = <Value>(outcome: Outcome<Value, RefusalReason>, subject: string): Value => {
  if (outcome.ok) return outcome.value;
  throw new UserError(sentence(outcome.reason, subject));
};

const sentence = (reason: RefusalReason, subject: string): string => {
  switch (reason) {
    case 'already-granted':
      return `It already has the grant ${subject}.`;
    case 'being-withheld':
      return `${subject} was disabled or lost its webhook a moment ago, and what waited for it is still being withheld: try again in half a minute. While all webhooks are stopped, "webhooks start" comes first.`;
    case 'changed-meanwhile':
      return `${subject} was changed by somebody else meanwhile: try again.`;
    case 'issuer-taken':
      return `The identity provider of "${subject}" belongs to another group: its users' sessions would show that group's transactions.`;
    case 'name-taken':
      return `The name "${subject}" is taken: choose another one.`;
    case 'no-key':
      return `There is no key "${subject}": "keys list" shows all.`;
    case 'no-partner':
      return `There is no partner "${subject}": "partner list" shows all.`;
    case 'no-recipient':
      return `There is no partner "${subject}": "partner list" shows all, and a deleted partner is named by its client ID.`;
    case 'no-rotation':
      return `${subject} has no next signature: "partner rotate-signature" creates one.`;
    case 'no-storefront':
      return `There is no storefront "${subject}": "storefront list" shows all.`;
    case 'no-transaction':
      return `There is no transaction ${subject}.`;
    case 'no-webhook':
      return `${subject} has no webhook: "partner set-webhook" sets one.`;
    case 'not-deleted':
      return `The transaction ${subject} is not deleted: there is nothing to restore.`;
    case 'erased':
      return `The transaction ${subject} was erased with its customer: nothing of it is kept.`;
    case 'not-found':
      return `${subject} was removed by somebody else meanwhile.`;
    case 'not-granted':
      return `It has no grant ${subject}: "partner show" lists what it has.`;
    case 'owner-taken':
      return `The location of "${subject}" belongs to another storefront already: "storefront list" shows which.`;
    case 'only-key':
      return `Without ${subject} no key could sign: run "keys rotate" for its kind first.`;
    case 'rotation-announced':
      return `${subject} already has a next signature, which was shown when it was created. Switch to it with --finish, or discard it with --cancel.`;
    case 'rotation-unfinished':
      return `${subject} has an unfinished rotation, which is being tried again. "keys list" shows when it is done; the log of rotate-keys shows why it failed.`;
    default:
      return reason satisfies never;
  }
};

/** Names a reached quota, and the command that asks for a higher one ("Amazon EventBridge quotas"). */
export const quotaSentence = (quota: EndpointQuota): string => {
  const { what, code, usual, asked } = quotas[quota];
  return `EventBridge creates no more ${what}: the account has reached its quota ${code} (${usual} by default). Request an increase with the following command, and run "partner repair" when it is granted: aws service-quotas request-service-quota-increase --service-code events --quota-code ${code} --desired-value ${asked}`;
};

/** Whether an endpoint is failing because of a quota of the account. */
export const isQuota = (reason: string): reason is EndpointQuota => reason in quotas;

const quotas: Record<EndpointQuota, { what: string; code: string; usual: string; asked: number }> = {
  'connections-quota': { what: 'connections', code: 'L-595D6D42', usual: '3,000', asked: 5_000 },
  'destinations-quota': { what: 'API destinations', code: 'L-FB1C3A6D', usual: '3,000', asked: 5_000 },
  'rules-quota': { what: 'rules on this bus', code: 'L-244521F2', usual: '300', asked: 1_000 },
};
