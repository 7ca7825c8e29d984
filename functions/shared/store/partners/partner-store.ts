import type { Outcome } from '../../domain/outcome.ts';
import type {
  Partner,
  PartnerChange,
  PartnerProfile,
  SecretUses,
  SignatureStep,
  StoredSecret,
} from '../../domain/partner.ts';
import type { SecretsChange } from './record-updates.ts';

/** A partner with its credentials, as it is created. */
export type PartnerCredentials = PartnerProfile<StoredSecret>;

/** What the token service checks, and when each secret was last used. */
export type UsedCredentials = PartnerCredentials & { uses: SecretUses };

/** One method an access pattern; keys in `keys.ts`. */
export type PartnerStore = {
  /** For every V2 request (TOK-5, GRANT-2): no cache, strongly consistent. */
  profileOf: (clientId: string) => Promise<PartnerProfile | undefined>;
  byClientId: (clientId: string) => Promise<Partner | undefined>;
  /** For the token service: with the hashes. */
  credentialsOf: (clientId: string) => Promise<UsedCredentials | undefined>;
  /** For those who show secrets (S-20). */
  usesOf: (clientId: string) => Promise<SecretUses>;
  /** For the operator's tool. */
  byName: (name: string) => Promise<Partner | undefined>;
  all: () => Promise<Partner[]>;
  /** And what is reached for their endpoints. */
  allWithStatus: () => Promise<Pick<PartnerProfile, 'partner' | 'endpoint'>[]>;
  create: (
    credentials: PartnerCredentials,
    webhookSignature: string,
  ) => Promise<Outcome<Partner, 'name-taken'>>;
  /** Replaces grants, OAuth scopes, state or webhook, on the condition that the record is still as it was read. */
  update: (change: PartnerChange) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
  replaceSecrets: (
    clientId: string,
    change: SecretsChange,
  ) => Promise<Outcome<undefined, 'changed-meanwhile'>>;
  /** Refuses every token of the partner that was issued before. What was refused already stays so. */
  endTokens: (clientId: string, tokensFromMs: number) => Promise<Outcome<undefined, 'not-found'>>;
  /** Removes what `keep-endpoints` has reached for the partner, so that it begins anew (DR-14). */
  forgetEndpoint: (clientId: string) => Promise<void>;
  /** Adds it to the index of each grant that it holds, after a restore (GRANT-4). */
  addToIndex: (partner: Partner) => Promise<void>;
  /** The day on which a secret was used. */
  noteUse: (clientId: string, secretId: string, day: string) => Promise<void>;
  /** The same secret under another pepper, where its hash is still the one that was read. */
  rehash: (
    clientId: string,
    before: StoredSecret,
    fresh: Pick<StoredSecret, 'hash' | 'pepperId'>,
  ) => Promise<void>;
  /** One of its tokens is in the denylist now. */
  noteRevocation: (clientId: string, atMs: number) => Promise<void>;
  /** A step of a rotation: record and signature change together, or neither does (S-27). It reads no value. */
  rotateSignature: (
    change: PartnerChange,
    step: SignatureStep,
  ) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
  remove: (clientId: string) => Promise<Outcome<undefined, 'not-found'>>;
};
