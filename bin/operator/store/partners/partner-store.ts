import type { Outcome } from '../../../../functions/shared/domain/outcome.ts';
import type {
  Partner,
  PartnerChange,
  PartnerProfile,
  SignatureStep,
  StoredSecret,
} from '../../../../functions/shared/domain/partner.ts';
import type { CredentialsReader } from '../../../../functions/shared/store/partners/credentials.ts';
import type { PartnerNotes } from '../../../../functions/shared/store/partners/notes.ts';
import type { PartnerReader } from '../../../../functions/shared/store/partners/reader.ts';
import type { SecretsChange } from '../../../../functions/shared/store/partners/record-updates.ts';

/** A new partner with its credentials. */
export type PartnerCredentials = PartnerProfile<StoredSecret>;

/** The partners' records for the operator's tool: a method for each access pattern. */
export type PartnerStore = PartnerReader &
  CredentialsReader &
  PartnerNotes & {
    byClientId: (clientId: string) => Promise<Partner | undefined>;
    byName: (name: string) => Promise<Partner | undefined>;
    all: () => Promise<Partner[]>;
    /** All partners, with the status of their endpoints. */
    allWithStatus: () => Promise<Pick<PartnerProfile, 'partner' | 'endpoint'>[]>;
    create: (
      credentials: PartnerCredentials,
      webhookSignature: string,
    ) => Promise<Outcome<Partner, 'name-taken'>>;
    /**
     * Replaces grants, OAuth scopes, state or webhook, if the record is unchanged since it was read, with what that does to
     * the partner's events. `isRepeated`: it did so before a restore.
     */
    update: (
      change: PartnerChange,
      about?: { isRepeated?: boolean },
    ) => Promise<Outcome<Partner, 'changed-meanwhile' | 'being-withheld'>>;
    replaceSecrets: (
      clientId: string,
      change: SecretsChange,
    ) => Promise<Outcome<undefined, 'changed-meanwhile'>>;
    /** Refuses every token issued before `tokensFromMs`. A later time that is stored already stays. */
    endTokens: (clientId: string, tokensFromMs: number) => Promise<Outcome<undefined, 'not-found'>>;
    /** Removes the endpoint status of `keep-endpoints`, which then begins anew (DR-14). */
    forgetEndpoint: (clientId: string) => Promise<void>;
    /** Adds the partner to the index of grantees after a restore (GRANT-4). */
    addToIndex: (partner: Partner) => Promise<void>;
    /** A step of a rotation: changes record and signature in one write (S-27), without reading a signature. */
    rotateSignature: (
      change: PartnerChange,
      step: SignatureStep,
    ) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
    remove: (clientId: string) => Promise<Outcome<undefined, 'not-found'>>;
  };
