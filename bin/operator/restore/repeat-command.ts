import type { KeyKind } from '../../../functions/shared/domain/keys/key-ring.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';
import { isActive, oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { chainEndsAt } from '../../../functions/shared/domain/session.ts';
import {
  paused,
  resumed,
  type WebhookChange,
  withoutWebhook,
  withWebhook,
} from '../../../functions/shared/domain/webhook-changes.ts';
import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import type { OperatorDeps } from '../deps.ts';
import { keyKinds, removeKey } from '../keys/keys.ts';
import { isSameGrant, parseGrant } from '../partners/grant-text.ts';

/** Whether a command was carried out again, is to be done by a person, or changed nothing that went back. */
export type Repetition = 'repeated' | 'nothing' | { byHand: string };

type Arguments = Record<string, unknown>;
type Repeat = (args: Arguments, record: AuditRecord, deps: OperatorDeps) => Promise<Repetition>;

/** A record, and whether its command came to its end. */
type EndedRecord = AuditRecord & { isDone: boolean };

/** Carries a command out again, on the records alone: what the bus has of a partner did not go back. */
export const repeatCommand = async (record: EndedRecord, deps: OperatorDeps): Promise<Repetition> => {
  const refused = refusal(record);
  if (refused) await untilDecided[record.command]?.reach(record.arguments, record, deps);
  return refused ?? (await repeats[record.command]?.(record.arguments, record, deps)) ?? 'nothing';
};

/** What would come of it, as far as the record says. */
export const repetitionOf = (record: EndedRecord): Repetition =>
  refusal(record) ?? (repeats[record.command] === undefined ? 'nothing' : 'repeated');

/** What gives a right, or cannot be undone: a person decides about one of which nobody knows whether it was done (DR-12). */
const onlyWhenDone = [
  ...['partner enable', 'partner grant', 'partner set-webhook', 'partner resume', 'partner delete'],
  ...['partner set-oauth-scopes', 'storefront create', 'storefront delete', 'webhooks start'],
];

const refusal = ({ command, arguments: args, isDone }: EndedRecord): Repetition | undefined => {
  if (isDone || !onlyWhenDone.includes(command)) return undefined;
  const what = [command, textIn(args, 'name'), textIn(args, 'grant')].filter(Boolean).join(' ');
  const meanwhile = untilDecided[command];
  const says = meanwhile ? `; it is ${meanwhile.state} until then` : '';
  return { byHand: `${what}: it is not known whether it was done${says}` };
};

const textIn = (args: Arguments, name: string) => String(args[name] ?? '');

/** Changes the record of the partner that the command named, if that is there. */
const changing =
  (change: (partner: Partner, args: Arguments, atMs: number) => Partner): Repeat =>
  async (args, { atMs }, { partners }) => {
    const before = await partners.byClientId(textIn(args, 'clientId'));
    if (!before) return 'nothing';
    const updated = await partners.update({ before, after: change(before, args, atMs) });
    if (!updated.ok) throw new Error(`The partner ${before.name} was changed by somebody else meanwhile`);
    return 'repeated';
  };

/** A partner's own change says so in its record (V2-13). */
const changeOf = ({ by }: Arguments, atMs: number): WebhookChange => ({
  by: by === 'partner' ? 'partner' : 'operator',
  atMs,
});

/** A secret or a signature that is lost can only be made anew. */
const byHand =
  (sentence: (name: string) => string): Repeat =>
  async (args) => ({ byHand: sentence(textIn(args, 'name') || textIn(args, 'kind')) });

const granted = (partner: Partner, args: Arguments, { holds }: { holds: boolean }): Partner => {
  const grant = parseGrant(textIn(args, 'grant'));
  if (!grant.ok) return partner;
  const others = partner.grants.filter((held) => !isSameGrant(held, grant.value));
  return { ...partner, grants: holds ? [...others, grant.value] : others };
};

/** The secrets from before the rotation end as they did; the one that it made is lost. */
const endSecrets: Repeat = async (args, { atMs }, { partners }) => {
  const clientId = textIn(args, 'clientId');
  const before = (await partners.credentialsOf(clientId))?.secrets;
  if (!before) return 'nothing';
  const overlapMs = Number(args.overlapHours ?? 0) * 3_600_000;
  const replaced = await partners.replaceSecrets(clientId, {
    before,
    after: endedSecrets(before, { atMs, overlapMs, kept: args.secretId }),
  });
  if (!replaced.ok) throw new Error(`The secrets of ${clientId} were changed by somebody else meanwhile`);
  return { byHand: `partner rotate-secret ${textIn(args, 'name')}: the secret that was made is lost` };
};

const endedSecrets = (
  secrets: readonly StoredSecret[],
  { atMs, overlapMs, kept }: { atMs: number; overlapMs: number; kept: unknown },
): StoredSecret[] => {
  const [newest] = secrets
    .filter((secret) => secret.createdAtMs < atMs && isActive(secret, atMs))
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs);
  // A partner names the one that it authenticated with (V2-13).
  const lasting = secrets.find(({ id }) => id === kept) ?? newest;
  return secrets.map((secret) => {
    if (secret.createdAtMs >= atMs) return secret;
    const endsAtMs = secret === lasting ? atMs + overlapMs : atMs;
    return { ...secret, expiresAtMs: Math.min(secret.expiresAtMs ?? Number.POSITIVE_INFINITY, endsAtMs) };
  });
};

const registerAgain: Repeat = async (args, { atMs }, { storefronts }) => {
  const text = (name: string) => textIn(args, name);
  const owner = {
    ...{ group: text('group'), franchise: text('franchise'), branch: text('branch') },
    ...{ location: text('location'), groupSoftware: text('groupSoftware') || null },
  };
  const origins = (args.origins ?? []) as string[];
  const storefront = { name: text('name'), owner, origins, retired: false, createdAtMs: atMs };
  const made = await storefronts.register(storefront, { isDefault: args.default === true });
  return made.ok ? 'repeated' : 'nothing';
};

const revokeSession: Repeat = async (args, { atMs }, { transactions, sessions, now }) => {
  const session = (await transactions.byUuid(textIn(args, 'uuid')))?.session;
  if (session === undefined) return { byHand: `session revoke ${textIn(args, 'uuid')}: it is not there` };
  await sessions.revoke(session, { now: now(), until: chainEndsAt({ beganAt: new Date(atMs) }) });
  return 'repeated';
};

const removeKeyAgain: Repeat = async (args, _record, deps) => {
  const kind = keyKinds.find((one): one is KeyKind => one === args.kind);
  if (!kind) return 'nothing';
  const removed = await removeKey(kind, textIn(args, 'kid'), deps);
  if (removed.ok || removed.reason === 'no-key') return 'repeated';
  return { byHand: `keys rotate ${kind}, then keys remove ${textIn(args, 'kid')}` };
};

const startAgain: Repeat = async (_args, { atMs }, { webhookSwitch, now }) => {
  const stop = await webhookSwitch.read();
  if (stop && stop.stoppedAtMs < atMs) await webhookSwitch.start(now().getTime());
  return 'repeated';
};

const retireAgain: Repeat = async (args, _record, { storefronts }) =>
  (await storefronts.retire(textIn(args, 'name'))).ok ? 'repeated' : 'nothing';

const disable = changing((partner) => ({ ...partner, enabled: false }));

/** What such a command may have taken away stays away until a person has decided, who can give it back (DR-12). */
const untilDecided: Record<string, { state: string; reach: Repeat }> = {
  'partner delete': { state: 'disabled', reach: disable },
  'storefront delete': { state: 'retired', reach: retireAgain },
};

const repeats: Record<string, Repeat> = {
  'partner create': async (args, _record, { partners }) =>
    (await partners.byName(textIn(args, 'name')))
      ? 'nothing'
      : { byHand: `partner create --name ${textIn(args, 'name')} …: its credentials are lost` },
  'partner disable': disable,
  'partner enable': changing((partner) => ({ ...partner, enabled: true })),
  'partner grant': changing((partner, args) => granted(partner, args, { holds: true })),
  'partner revoke-grant': changing((partner, args) => granted(partner, args, { holds: false })),
  'partner set-oauth-scopes': changing((partner, args) => ({
    ...partner,
    oauthScopes: oauthScopeNames.filter((name) => (args.oauthScopes as string[]).includes(name)),
  })),
  'partner set-webhook': changing((partner, args, atMs) =>
    withWebhook(
      partner,
      { url: textIn(args, 'url'), unchecked: args.unchecked === true },
      changeOf(args, atMs),
    ),
  ),
  'partner remove-webhook': changing((partner, args, atMs) => withoutWebhook(partner, changeOf(args, atMs))),
  'partner pause': changing((partner, args, atMs) => paused(partner, changeOf(args, atMs))),
  'partner resume': changing((partner, args, atMs) => resumed(partner, changeOf(args, atMs))),
  'partner delete': async (args, _record, { partners }) =>
    (await partners.remove(textIn(args, 'clientId'))).ok ? 'repeated' : 'nothing',
  'partner rotate-secret': endSecrets,
  'partner rotate-signature': byHand(
    (name) => `partner rotate-signature ${name}: the value that was made is lost`,
  ),
  'storefront create': registerAgain,
  'storefront delete': retireAgain,
  'session revoke': revokeSession,
  'keys rotate': byHand((kind) => `keys rotate ${kind}: the ring is the one before`),
  'keys remove': removeKeyAgain,
  'webhooks stop': async (_args, { atMs }, { webhookSwitch }) => {
    await webhookSwitch.stop(atMs);
    return 'repeated';
  },
  'webhooks start': startAgain,
};
