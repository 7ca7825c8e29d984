import type { Outcome } from '../domain/outcome.ts';
import type { Partner, StoredSecret } from '../domain/partner.ts';

/** A partner with its credentials: what the token service judges. */
export type PartnerCredentials = { partner: Partner; secrets: StoredSecret[] };

/** One method an access pattern; keys in `partner-keys.ts`. */
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
  /** Replaces grants, OAuth scopes, state or webhook address. */
  update: (partner: Partner) => Promise<Outcome<Partner, 'not-found'>>;
  replaceSecrets: (
    clientId: string,
    secrets: StoredSecret[],
  ) => Promise<Outcome<StoredSecret[], 'not-found'>>;
  remove: (clientId: string) => Promise<Outcome<undefined, 'not-found'>>;
};
