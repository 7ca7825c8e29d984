import { isDeepStrictEqual } from 'node:util';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { coveringGrants, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type {
  Partner,
  PartnerChange,
  PartnerProfile,
  SecretFacts,
  SecretUses,
  SignatureStep,
  StoredSecret,
  WebhookSignature,
} from '../../../functions/shared/domain/partner.ts';
import type { PartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { grantChange } from '../../../functions/shared/store/partners/grant-change.ts';
import { grantKey } from '../../../functions/shared/store/partners/keys.ts';
import type {
  PartnerCredentials,
  PartnerStore,
} from '../../../functions/shared/store/partners/partner-store.ts';
import type { WebhookStop, WebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';

/** The store, and its index of who holds a grant (GRANT-4), by the sort key of a grant. */
export type MemoryPartners = PartnerStore & { holdersOf: (sk: string) => string[] };

/** The same answers as the table gives, held in memory: for tests. One suite runs on both. */
export const createMemoryPartners = (initial: readonly PartnerCredentials[] = []): MemoryPartners => {
  const records = new Map(initial.map((record) => [record.partner.clientId, structuredClone(record)]));
  const { holdersOf, follow } = memoryHolders();
  for (const { partner } of initial) follow(partner.clientId, { before: [], after: partner.grants });
  const partners = () => [...records.values()].map(({ partner }) => structuredClone(partner));
  const signatures = new Map<string, WebhookSignature>();
  const uses = new Map<string, SecretUses>();
  const usesOf = async (clientId: string) => ({ ...uses.get(clientId) });
  const named = (name: string) => partners().find((partner) => partner.name === name);
  const update = async ({ before, after }: PartnerChange) => {
    const record = records.get(after.clientId);
    const isUnchanged = record && isDeepStrictEqual(asStored(record.partner), asStored(before));
    if (!isUnchanged || after.name !== before.name) return refuse('changed-meanwhile');
    record.partner = structuredClone(after);
    follow(after.clientId, { before: before.grants, after: after.grants });
    return succeed(after);
  };

  return {
    holdersOf,
    profileOf: async (clientId) => profileOf(structuredClone(records.get(clientId))),
    byClientId: async (clientId) => structuredClone(records.get(clientId)?.partner),
    credentialsOf: async (clientId) => {
      const record = structuredClone(records.get(clientId));
      return record && { ...record, uses: await usesOf(clientId) };
    },
    usesOf,
    byName: async (name) => named(name),
    all: async () => partners().sort(byNameAscending),
    create: async (credentials, signature) => {
      if (named(credentials.partner.name)) return refuse('name-taken');
      records.set(credentials.partner.clientId, structuredClone(credentials));
      signatures.set(credentials.partner.clientId, { signature });
      follow(credentials.partner.clientId, { before: [], after: credentials.partner.grants });
      return succeed(credentials.partner);
    },
    update,
    replaceSecrets: async (clientId, { before, after }) => {
      const record = records.get(clientId);
      if (!record || !isDeepStrictEqual(asStored(record.secrets), asStored(before))) {
        return refuse('changed-meanwhile');
      }
      record.secrets = structuredClone([...after]);
      return succeed(undefined);
    },
    endTokens: async (clientId, tokensFromMs) => {
      const record = records.get(clientId);
      if (!record) return refuse('not-found');
      record.tokensFromMs = Math.max(record.tokensFromMs ?? 0, tokensFromMs);
      return succeed(undefined);
    },
    noteUse: async (clientId, secretId, day) => {
      uses.set(clientId, { ...uses.get(clientId), [secretId]: day });
    },
    rehash: async (clientId, before, fresh) => {
      const secret = records.get(clientId)?.secrets.find(({ id }) => id === before.id);
      if (secret && hashOf(secret) === hashOf(before)) Object.assign(secret, fresh);
    },
    noteRevocation: async (clientId, atMs) => {
      const record = records.get(clientId);
      if (record) record.revokedAtMs = Math.max(record.revokedAtMs ?? 0, atMs);
    },
    signatureOf: async (clientId) => structuredClone(signatures.get(clientId)),
    rotateSignature: async (change, step) => {
      const { clientId } = change.after;
      const now = signatures.get(clientId);
      if (!now || (step === 'finish' && now.next === undefined)) return refuse('changed-meanwhile');
      const updated = await update(change);
      if (updated.ok) signatures.set(clientId, rotated(now, step));
      return updated;
    },
    remove: async (clientId) => {
      signatures.delete(clientId);
      uses.delete(clientId);
      follow(clientId, { before: records.get(clientId)?.partner.grants ?? [], after: [] });
      return records.delete(clientId) ? succeed(undefined) : refuse('not-found');
    },
  };
};

/** Changed as production decides what a change means for the index. */
const memoryHolders = () => {
  const holders = new Map<string, Set<string>>();
  const holdersOf = (sk: string): string[] => [...(holders.get(sk) ?? [])];
  const follow = (clientId: string, { before, after }: { before: Grant[]; after: Grant[] }) => {
    const { added, removed } = grantChange(before, after);
    for (const { sk } of added.map(grantKey)) holders.set(sk, new Set([...holdersOf(sk), clientId]));
    for (const { sk } of removed.map(grantKey)) holders.get(sk)?.delete(clientId);
  };
  return { holdersOf, follow };
};

const profileOf = (record: PartnerCredentials | undefined): PartnerProfile | undefined =>
  record && { ...record, secrets: factsOf(record.secrets) };

const factsOf = (secrets: readonly StoredSecret[]): SecretFacts[] =>
  secrets.map(({ hash: _hash, pepperId: _pepper, ...facts }) => facts);

const rotated = ({ signature, next = signature }: WebhookSignature, step: SignatureStep) => {
  if (step === 'finish') return { signature: next };
  return step === 'cancel' ? { signature } : { signature, next: step.announce };
};

const hashOf = ({ hash, pepperId }: StoredSecret) => `${pepperId} ${hash}`;

/** Members that are undefined are not stored. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const byNameAscending = (one: Partner, other: Partner) => (one.name < other.name ? -1 : 1);

/** The directory over a whole store; over one without an index everybody may be told. */
export const directoryOver = (
  {
    all,
    byClientId = async (asked) => (await all()).find(({ clientId }) => clientId === asked),
    holdersOf,
  }: Pick<PartnerStore, 'all'> & Partial<Pick<MemoryPartners, 'byClientId' | 'holdersOf'>>,
  { read }: Pick<WebhookSwitch, 'read'> = createMemoryWebhookSwitch(),
): PartnerDirectory => {
  const asTold = async (partners: Partner[]): Promise<Partner[]> => {
    const isStopped = (await read()) !== undefined;
    return isStopped ? partners.map((partner) => ({ ...partner, webhookPaused: 'operator' })) : partners;
  };
  return {
    all: async () => asTold(await all()),
    ofOwners: async (owners) => {
      if (!holdersOf) return asTold(await all());
      const held = owners.flatMap(coveringGrants).flatMap((grant) => holdersOf(grantKey(grant).sk));
      const found = await Promise.all([...new Set(held)].sort().map(byClientId));
      return asTold(found.flatMap((partner) => partner ?? []));
    },
    byClientIds: async (clientIds) => {
      const found = (await Promise.all(clientIds.map(byClientId))).flatMap((partner) => partner ?? []);
      return new Map((await asTold(found)).map((partner) => [partner.clientId, partner]));
    },
  };
};

/** The switch, held in memory. */
export const createMemoryWebhookSwitch = (): WebhookSwitch => {
  let held: WebhookStop | undefined;
  return {
    read: async () => held && { ...held },
    stop: async (atMs) => {
      held ??= { stoppedAtMs: atMs };
      return { ...held };
    },
    start: async () => {
      held = undefined;
    },
  };
};
