import type {
  PartnerProfile,
  SecretFacts,
  SecretUses,
  StoredSecret,
  WebhookSignature,
} from '../../domain/partner.ts';
import { hashesKey, profileKey } from './keys.ts';

type Item = Record<string, unknown>;

/** Secrets by their ids, so that one of them can be changed without the others. */
const byId = <Secret extends { id: string }, Rest>(
  secrets: readonly Secret[],
  rest: (secret: Secret) => Rest,
) => Object.fromEntries(secrets.map((secret) => [secret.id, rest(secret)]));

/** What the profile has of secrets: facts, never a hash. */
export const factsById = (secrets: readonly StoredSecret[]) =>
  byId(secrets, ({ id: _id, hash: _hash, pepperId: _pepper, ...facts }) => facts);

/** The item of the hashes, which requests of partners do not read. */
export const hashesItem = (clientId: string, secrets: readonly StoredSecret[]): Item => ({
  ...hashesKey(clientId),
  hashes: hashesById(secrets),
});

/** What only the token service reads of secrets. */
export const hashesById = (secrets: readonly StoredSecret[]) =>
  byId(secrets, ({ hash, pepperId }) => ({ hash, pepperId }));

export const profileItem = ({ secrets, ...profile }: PartnerProfile<StoredSecret>): Item => ({
  ...profileKey(profile.partner.clientId),
  ...profile,
  secrets: factsById(secrets),
});

/** Only this module writes such items, so their shape is trusted. The newest secret first. */
export const profileOfItem = ({ pk: _pk, sk: _sk, secrets, ...profile }: Item): PartnerProfile => ({
  ...(profile as Omit<PartnerProfile, 'secrets'>),
  secrets: Object.entries(secrets as Record<string, Omit<SecretFacts, 'id'>>)
    .map(([id, facts]) => ({ id, ...facts }))
    .sort((one, other) => other.createdAtMs - one.createdAtMs),
});

/** Facts and hashes of one partner; a secret without its hash is none. */
export const credentialsOfItems = (profile: Item, { hashes }: Item) => {
  const known = hashes as Record<string, Pick<StoredSecret, 'hash' | 'pepperId'> | undefined>;
  const { secrets, ...rest } = profileOfItem(profile);
  return { ...rest, secrets: secrets.map((facts) => ({ ...facts, ...known[facts.id] })).filter(hasHash) };
};

const hasHash = (secret: SecretFacts & { hash?: string }): secret is StoredSecret =>
  secret.hash !== undefined;

/** The item of uses has an attribute for each secret that was used; a secret that was not has none. */
export const usesOfItem = ({ pk: _pk, sk: _sk, ...uses }: Item = {}): SecretUses =>
  uses as Record<string, string>;

/** What its webhook messages carry. */
export const signatureOfItem = ({ signature, next }: Item): WebhookSignature => ({
  signature: signature as string,
  ...(next !== undefined && { next: next as string }),
});
