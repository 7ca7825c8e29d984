import type { Outcome } from '../../domain/outcome.ts';
import type { Partner, PartnerChange, StoredSecret, WebhookSignature } from '../../domain/partner.ts';

/** A partner with its credentials: what the token service checks. */
export type PartnerCredentials = { partner: Partner; secrets: StoredSecret[] };

/** One method an access pattern; keys in `keys.ts`. */
export type PartnerStore = {
  /** For every V2 request (TOK-5, GRANT-2): no cache, strongly consistent. */
  byClientId: (clientId: string) => Promise<Partner | undefined>;
  /** For the token service. */
  credentialsOf: (clientId: string) => Promise<PartnerCredentials | undefined>;
  /** For the operator's tool. */
  byName: (name: string) => Promise<Partner | undefined>;
  all: () => Promise<Partner[]>;
  create: (
    credentials: PartnerCredentials,
    webhookSignature: string,
  ) => Promise<Outcome<Partner, 'name-taken'>>;
  /** Replaces grants, OAuth scopes, state or webhook, on the condition that the record is still as it was read. */
  update: (change: PartnerChange) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
  replaceSecrets: (
    clientId: string,
    secrets: StoredSecret[],
  ) => Promise<Outcome<StoredSecret[], 'not-found'>>;
  /** What its webhook messages carry, for the operator's tool; kept apart from all that requests read. */
  signatureOf: (clientId: string) => Promise<WebhookSignature | undefined>;
  /** A step of a rotation: record and signature change together, or neither does (S-27). */
  replaceSignature: (
    change: PartnerChange,
    signature: WebhookSignature,
  ) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
  remove: (clientId: string) => Promise<Outcome<undefined, 'not-found'>>;
};
