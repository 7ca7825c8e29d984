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

/** A partner with its credentials, as it is created. */
export type PartnerCredentials = PartnerProfile<StoredSecret>;

/** What functions ask and note of partners, and what the operator's tool does with them; one method an access pattern. */
export type PartnerStore = PartnerReader &
  CredentialsReader &
  PartnerNotes & {
    byClientId: (clientId: string) => Promise<Partner | undefined>;
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
    /** A step of a rotation: record and signature change together, or neither does (S-27). It reads no value. */
    rotateSignature: (
      change: PartnerChange,
      step: SignatureStep,
    ) => Promise<Outcome<Partner, 'changed-meanwhile'>>;
    remove: (clientId: string) => Promise<Outcome<undefined, 'not-found'>>;
  };
