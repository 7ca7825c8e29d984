import { isDeepStrictEqual } from 'node:util';
import { grantChange } from '../../../bin/operator/store/partners/grant-change.ts';
import type { PartnerCredentials, PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import { isServed } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { ServedPartner } from '../../../functions/shared/domain/event/recipient.ts';
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
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { PartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import type { EndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';
import { grantKey } from '../../../functions/shared/store/partners/keys.ts';
import type { WebhookStop, WebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { aServedEndpoint } from '../builders/a-partner.ts';

/** The store, and its index of who holds a grant (GRANT-4), by the sort key of a grant. */
export type MemoryPartners = PartnerStore & {
  granteesOf: (sk: string) => string[];
  /** For `keep-endpoints` alone. */
  signatureOf: (clientId: string) => Promise<WebhookSignature | undefined>;
  /** As `keep-endpoints` notes it; false where the partner is gone. */
  setEndpoint: (clientId: string, status: EndpointStatus) => boolean;
};

/** The same answers as the table gives, held in memory: for tests. One suite runs on both. Whoever is there at first is served. */
export const createMemoryPartners = (initial: readonly PartnerCredentials[] = []): MemoryPartners => {
  const records = new Map<string, PartnerCredentials>(
    initial.map((record) => [
      record.partner.clientId,
      { endpoint: aServedEndpoint(), ...structuredClone(record) },
    ]),
  );
  const { granteesOf, follow } = memoryGrantees();
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
    granteesOf,
    setEndpoint: (clientId, status) => {
      const record = records.get(clientId);
      if (record) record.endpoint = structuredClone(status);
      return record !== undefined;
    },
    profileOf: async (clientId) => profileOf(structuredClone(records.get(clientId))),
    byClientId: async (clientId) => structuredClone(records.get(clientId)?.partner),
    credentialsOf: async (clientId) => {
      const record = structuredClone(records.get(clientId));
      return record && { ...record, uses: await usesOf(clientId) };
    },
    usesOf,
    byName: async (name) => named(name),
    all: async () => partners().sort(byNameAscending),
    allWithStatus: async () =>
      partners()
        .sort(byNameAscending)
        .map((partner) => {
          const { endpoint } = records.get(partner.clientId) ?? {};
          return { partner, ...(endpoint && { endpoint: structuredClone(endpoint) }) };
        }),
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
    forgetEndpoint: async (clientId) => {
      delete records.get(clientId)?.endpoint;
    },
    addToIndex: async ({ clientId, grants }) => follow(clientId, { before: [], after: grants }),
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
const memoryGrantees = () => {
  const grantees = new Map<string, Set<string>>();
  const granteesOf = (sk: string): string[] => [...(grantees.get(sk) ?? [])];
  const follow = (clientId: string, { before, after }: { before: Grant[]; after: Grant[] }) => {
    const { added, removed } = grantChange(before, after);
    for (const { sk } of added.map(grantKey)) grantees.set(sk, new Set([...granteesOf(sk), clientId]));
    for (const { sk } of removed.map(grantKey)) grantees.get(sk)?.delete(clientId);
  };
  return { granteesOf, follow };
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

type Switch = Pick<MemoryWebhookSwitch, 'read' | 'startedAtMs'>;

/** The directory over a whole store. */
export const directoryOver = (
  { byClientId, granteesOf, profileOf }: Pick<MemoryPartners, 'byClientId' | 'granteesOf' | 'profileOf'>,
  { startedAtMs }: Pick<Switch, 'startedAtMs'> = createMemoryWebhookSwitch(),
  clock: Clock = () => new Date(),
): PartnerDirectory => {
  const isUnserved = async (clientId: string): Promise<boolean> => {
    const at = { nowMs: clock().getTime(), startedAtMs: startedAtMs() };
    return !isServed((await profileOf(clientId))?.endpoint, at);
  };
  const find = async (clientIds: readonly string[]): Promise<ServedPartner[]> => {
    const found = (await Promise.all(clientIds.map(byClientId))).flatMap((partner) => partner ?? []);
    return Promise.all(
      found.map(async (partner) => ({
        ...partner,
        ...((await isUnserved(partner.clientId)) && { isUnserved: true as const }),
      })),
    );
  };
  return {
    ofOwners: (owners) => {
      const held = owners.flatMap(coveringGrants).flatMap((grant) => granteesOf(grantKey(grant).sk));
      return find([...new Set(held)].sort());
    },
    byClientIds: async (clientIds) =>
      new Map((await find(clientIds)).map((partner) => [partner.clientId, partner])),
  };
};

/** What `keep-endpoints` reads and writes, over a whole store. */
export const endpointsOver = (
  partners: Pick<MemoryPartners, 'profileOf' | 'signatureOf' | 'setEndpoint' | 'all'>,
  { read: readSwitch, startedAtMs }: Switch = createMemoryWebhookSwitch(),
): EndpointStore => {
  const recordOf = async (clientId: string) => {
    const { partner, endpoint: status } = (await partners.profileOf(clientId)) ?? {};
    return { partner, status, isStopped: (await readSwitch()) !== undefined, startedAtMs: startedAtMs() };
  };
  return {
    read: async (clientId) => ({
      ...(await recordOf(clientId)),
      signature: await partners.signatureOf(clientId),
    }),
    readMany: async (clientIds) => {
      const records = await Promise.all(clientIds.map(recordOf));
      return new Map(
        records.flatMap(({ partner, ...more }) =>
          partner ? [[partner.clientId, { partner, ...more }]] : [],
        ),
      );
    },
    write: async (clientId, status) => partners.setEndpoint(clientId, status),
    clientIds: async () => (await partners.all()).map(({ clientId }) => clientId),
  };
};

/** And when it was turned on last. */
type MemoryWebhookSwitch = WebhookSwitch & { startedAtMs: () => number | undefined };

/** The switch, held in memory. */
export const createMemoryWebhookSwitch = (): MemoryWebhookSwitch => {
  let held: WebhookStop | undefined;
  let startedAtMs: number | undefined;
  return {
    read: async () => held && { ...held },
    stop: async (atMs) => {
      held ??= { stoppedAtMs: atMs };
      return { ...held };
    },
    start: async (atMs) => {
      held = undefined;
      startedAtMs = atMs;
    },
    startedAtMs: () => (held ? undefined : startedAtMs),
  };
};
