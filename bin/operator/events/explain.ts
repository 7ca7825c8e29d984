import {
  changedElements,
  type EventElementName,
  isDeletedAfter,
  type VersionRange,
} from '../../../functions/shared/domain/event/event.ts';
import { decideRecipient } from '../../../functions/shared/domain/event/recipient.ts';
import { type EventSettings, settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { covers, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type BacklogRow,
  backlogKey,
  type CompletionMarker,
  type DebounceRow,
  decide,
  notifiedVersionOf,
  notifyKey,
} from '../../../functions/shared/events/rows.ts';
import { type ShownEvent, shownDebts } from '../../../functions/shared/events/states.ts';
import type { OperatorDeps } from '../deps.ts';
import { type Recipient, sendingsOf } from './shown.ts';

/** Changes that no event covers yet. */
export type PendingChanges = VersionRange & { elements: EventElementName[] };

type Shown = Omit<ShownEvent, 'state'>;

/** A reason why a partner was notified of a transaction, or was not. Codes are JSON output and never change. */
export type Explanation =
  | { code: 'UNKNOWN_TRANSACTION' | 'DELETED_TRANSACTION' }
  | { code: 'NO_PARTNER' | 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' | 'PAUSED' }
  | { code: 'OUT_OF_SCOPE'; owner: NdMeta | null; grants: Grant[] }
  /** The webhooks of the whole stage are stopped (S-77). */
  | { code: 'ALL_STOPPED'; sinceMs: number }
  | { code: 'RECEIVES'; grants: Grant[] }
  | { code: 'UNCHANGED_IMPORT' | 'EMPTY_CHECKOUT' | 'NEVER_NOTIFIED' }
  | { code: 'NOTHING_PENDING'; version: number }
  /** `lastSentAtMs` when the changes wait because of the last event (EV-2). */
  | ({ code: 'DORMANT_AT'; atMs: number; lastSentAtMs?: number } & PendingChanges)
  | ({ code: 'DUE' | 'NOT_SCHEDULED' | 'BEING_SENT' } & PendingChanges)
  | { code: 'COMPLETION_DUE'; atMs: number }
  /** The partner is behind. Without a time nothing is tried by itself. */
  | ({ code: 'WAITING' } & Shown)
  | ({ code: 'SENT' | 'FAILED' | 'WITHHELD' } & Shown)
  /** Others were told, and this partner was not to be. */
  | ({ code: 'NOT_A_RECIPIENT' } & Omit<Shown, 'clientId' | 'reason'>);

/** The facts about one partner and one transaction. */
export type ExplainFacts = {
  clientId: string;
  /** Absent when the partner was deleted. */
  partner: Partner | undefined;
  stored: StoredTransaction | undefined;
  /** When the webhooks of the stage were stopped, if they are. */
  stoppedAtMs?: number | undefined;
  debounceRow: DebounceRow | undefined;
  marker: CompletionMarker | undefined;
  backlog: readonly BacklogRow[];
  /** What was told about the transaction, to any partner, newest first. */
  sendings: readonly ShownEvent[];
  nowMs: number;
  settings: EventSettings;
};

/** The newest explain most; "events list" shows all. */
const mostSendings = 200;

/** Reads the present facts about one partner and one transaction. */
export const loadExplainFacts = async (
  { clientId }: Recipient,
  uuid: string,
  deps: OperatorDeps,
): Promise<ExplainFacts> => {
  const [partner, stop, stored, rows] = await Promise.all([
    deps.partners.byClientId(clientId),
    deps.webhookSwitch.read(),
    deps.transactions.byUuid(uuid),
    deps.debounce.read([
      ...[notifyKey(uuid), { uuid, kind: 'COMPLETED' } as const],
      ...[{ from: 0 }, { completed: 0 }].map((owed) => backlogKey(uuid, clientId, owed)),
    ]),
  ]);
  const sendings: ShownEvent[] = [];
  for await (const event of sendingsOf(uuid, {}, deps)) if (sendings.push(event) === mostSendings) break;
  return {
    ...{ clientId, partner, stored, sendings, stoppedAtMs: stop?.stoppedAtMs },
    debounceRow: rows.find((row) => row.kind === 'NOTIFY'),
    marker: rows.find((row) => row.kind === 'COMPLETED'),
    backlog: rows.filter((row) => row.kind === 'BACKLOG'),
    ...{ nowMs: deps.now().getTime(), settings: settingsOf(deps.events.dormancyMs) },
  };
};

/**
 * Why a partner was notified of a transaction, will be, or was not: what the partner may see now, what is pending, what the
 * partner is owed, and what was told, newest first. The same policy function decides here, for reads and for sends (GRANT-2).
 */
export const explain = (facts: ExplainFacts): Explanation[] => {
  const { stored, stoppedAtMs } = facts;
  const told = [...owed(facts), ...history(facts)];
  if (!stored) return [{ code: 'UNKNOWN_TRANSACTION' }, ...told];
  return [
    ...(stored.transaction.isDeleted === 1 ? [{ code: 'DELETED_TRANSACTION' } as const] : []),
    ...(stoppedAtMs === undefined ? [] : [{ code: 'ALL_STOPPED', sinceMs: stoppedAtMs } as const]),
    ...recipient(facts.partner, stored.transaction.ndMeta),
    ...completion(facts.marker, stored),
    updates(facts, stored),
    ...told,
  ];
};

const recipient = (partner: Partner | undefined, owner: NdMeta | undefined): Explanation[] => {
  const obstacles = obstaclesOf(partner, owner);
  if (!partner || obstacles.length > 0) return obstacles;
  return [{ code: 'RECEIVES', grants: partner.grants.filter((grant) => covers([grant], owner)) }];
};

/** Lists every obstacle, since the next one would show only after the first is removed. */
const obstaclesOf = (partner: Partner | undefined, owner: NdMeta | undefined): Explanation[] => {
  if (!partner) return [{ code: 'NO_PARTNER' }];
  const decision = decideRecipient(partner, owner);
  switch (decision) {
    case 'send':
      return [];
    case 'hold':
      return [{ code: 'PAUSED' }];
    case 'DISABLED':
      return [{ code: 'DISABLED' }, ...obstaclesOf({ ...partner, enabled: true }, owner)];
    case 'NO_ENDPOINT':
      return [{ code: 'NO_ENDPOINT' }, ...obstaclesOf({ ...partner, webhookUrl: 'https://any' }, owner)];
    case 'MAY_NOT_READ':
      return [{ code: 'MAY_NOT_READ' }, ...obstaclesOf({ ...partner, oauthScopes: ['nop2/read'] }, owner)];
    case 'OUT_OF_SCOPE':
      return [{ code: 'OUT_OF_SCOPE', owner: owner ?? null, grants: partner.grants }];
    default:
      return decision satisfies never;
  }
};

const completion = (marker: CompletionMarker | undefined, stored: StoredTransaction): Explanation[] => {
  const isDue =
    marker?.dueAtMs !== undefined &&
    !marker.isTold &&
    stored.transaction.status === 1 &&
    !isDeletedAfter({ to: marker.version }, stored);
  return isDue
    ? [{ code: 'COMPLETION_DUE', atMs: Math.max(marker.dueAtMs ?? 0, marker.leasedUntilMs ?? 0) }]
    : [];
};

const updates = ({ debounceRow, nowMs, settings }: ExplainFacts, stored: StoredTransaction): Explanation => {
  const { version, notifyFromVersion, session } = stored;
  const from = notifiedVersionOf(debounceRow, stored);
  const row = debounceRow ?? { ...notifyKey(stored.transaction.uuid), revision: 0 };
  const atRest = decide(row, stored, undefined, { nowMs: Number.POSITIVE_INFINITY, settings });
  if (atRest.step === 'pass-over') return { code: 'NEVER_NOTIFIED' };
  if (atRest.step === 'nothing') {
    if (version >= notifyFromVersion) return { code: 'NOTHING_PENDING', version };
    // A transaction without a session was imported (EV-10).
    return { code: session === undefined ? 'UNCHANGED_IMPORT' : 'EMPTY_CHECKOUT' };
  }
  const changes = { from, to: version, elements: changedElements(stored, from) };
  const { dueAtMs, leasedUntilMs = 0, lastSentAtMs = 0 } = row;
  if (leasedUntilMs > nowMs) return { code: 'BEING_SENT', ...changes };
  if (dueAtMs === undefined) return { code: 'NOT_SCHEDULED', ...changes };
  const decision = decide(row, stored, undefined, { nowMs, settings });
  if (decision.step !== 'wait') return { code: 'DUE', ...changes };
  const isSpaced = lastSentAtMs > stored.updatedAtMs;
  return { code: 'DORMANT_AT', atMs: decision.dueAtMs, ...(isSpaced && { lastSentAtMs }), ...changes };
};

const owed = ({ backlog }: ExplainFacts): Explanation[] =>
  backlog.flatMap(shownDebts).map(({ state: _, ...debt }) => ({ code: 'WAITING', ...debt }));

const codes = { sent: 'SENT', failed: 'FAILED', withheld: 'WITHHELD', waiting: 'WAITING' } as const;

const history = ({ sendings, clientId }: ExplainFacts): Explanation[] => {
  const its = sendings.filter((event) => event.clientId === clientId);
  const perSending = Map.groupBy(sendings, ({ type, atMs, to }) => `${type} ${atMs} ${to}`);
  // A pause or a replay may have sent the partner the same changes in another event.
  const isCovered = ({ type, from, to = from }: ShownEvent) =>
    its.some((own) => own.type === type && own.from < to && from < (own.to ?? own.from));
  return [...perSending.values()].flatMap(([first, ...others]): Explanation[] => {
    if (!first) return [];
    const own = [first, ...others].find((event) => event.clientId === clientId);
    const { state, clientId: _, reason, ...event } = own ?? first;
    if (own) return [{ code: codes[state], clientId, ...event, ...(reason !== undefined && { reason }) }];
    return isCovered(first) ? [] : [{ code: 'NOT_A_RECIPIENT', ...event }];
  });
};
