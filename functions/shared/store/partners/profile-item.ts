import type {
  Partner,
  PartnerProfile,
  SecretFacts,
  SecretUses,
  StoredSecret,
  WebhookSignature,
  WebhookWishes,
} from '../../domain/partner.ts';
import { hashesKey, profileKey } from './keys.ts';

type Item = Record<string, unknown>;

/** Secrets by their ids, so that one can be changed without the others. */
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

/**
 * The members of a partner's wishes for its webhook. Nothing else is read from the attribute `webhook`, which
 * v2-partner may write (S-80).
 */
const ofWebhook: Record<keyof WebhookWishes, true> = {
  webhookUrl: true,
  webhookSetAtMs: true,
  webhookUnchecked: true,
  webhookPaused: true,
  webhookChange: true,
  signatureMadeAtMs: true,
  nextSignatureMadeAtMs: true,
};
export const wishNames = Object.keys(ofWebhook) as (keyof WebhookWishes)[];

const isOfWebhook = ([name]: [string, unknown]) => Object.hasOwn(ofWebhook, name);

/**
 * A partner as two attributes of its profile. `webhook` has a copy of what decides whether the partner may change it.
 * If the operator changes that meanwhile, the attribute differs from what was read, and the partner's write is refused
 * (S-08). Nothing reads the copy.
 */
export const attributesOf = (partner: Partner): { partner: Item; webhook: Item } => {
  const { enabled, oauthScopes } = partner;
  const members = Object.entries(partner);
  return {
    partner: Object.fromEntries(members.filter((member) => !isOfWebhook(member))),
    webhook: { ...Object.fromEntries(members.filter(isOfWebhook)), writtenUnder: { enabled, oauthScopes } },
  };
};

/** Both attributes as one partner. */
export const partnerOfItem = ({ partner, webhook }: Item): Partner =>
  ({
    ...(partner as Item),
    ...Object.fromEntries(Object.entries(webhook ?? {}).filter(isOfWebhook)),
  }) as Partner;

export const profileItem = ({ partner, secrets, ...profile }: PartnerProfile<StoredSecret>): Item => ({
  ...profileKey(partner.clientId),
  ...profile,
  ...attributesOf(partner),
  secrets: factsById(secrets),
});

/** Only this module writes such items, so their shape is trusted. The newest secret first. */
export const profileOfItem = ({
  pk: _pk,
  sk: _sk,
  partner,
  webhook,
  secrets,
  ...profile
}: Item): PartnerProfile => ({
  ...(profile as Omit<PartnerProfile, 'partner' | 'secrets'>),
  partner: partnerOfItem({ partner, webhook }),
  secrets: Object.entries(secrets as Record<string, Omit<SecretFacts, 'id'>>)
    .map(([id, facts]) => ({ id, ...facts }))
    .sort((one, other) => other.createdAtMs - one.createdAtMs),
});

/** Facts and hashes of one partner's secrets. A secret without a hash is left out. */
export const credentialsOfItems = (profile: Item, { hashes }: Item) => {
  const known = hashes as Record<string, Pick<StoredSecret, 'hash' | 'pepperId'> | undefined>;
  const { secrets, ...rest } = profileOfItem(profile);
  return { ...rest, secrets: secrets.map((facts) => ({ ...facts, ...known[facts.id] })).filter(hasHash) };
};

const hasHash = (secret: SecretFacts & { hash?: string }): secret is StoredSecret =>
  secret.hash !== undefined;

/** The item of uses has an attribute for each secret that was used. */
export const usesOfItem = ({ pk: _pk, sk: _sk, ...uses }: Item = {}): SecretUses =>
  uses as Record<string, string>;

/** The signatures that its webhook messages have. */
export const signatureOfItem = ({ signature, next }: Item): WebhookSignature => ({
  signature: signature as string,
  ...(next !== undefined && { next: next as string }),
});
