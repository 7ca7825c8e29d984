import { type EventType, testEventType } from '../domain/event/event.ts';
import type { PartnerChange } from '../domain/partner.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Statement } from '../store/dynamodb/statement.ts';
import {
  atRest,
  type BacklogRow,
  backlogKey,
  isDue,
  keyOfRow,
  type LogLine,
  type Owing,
  owingOf,
  type Pass,
  textOf,
} from './rows.ts';
import type { SendDeps } from './send.ts';
import { noWithhold, owing, putPass } from './table.ts';

export type PassDeps = Pick<SendDeps, 'table' | 'clock' | 'pause' | 'settings'>;

/**
 * A partition takes 1,000 units a second: each row is made due in a transaction (5 units with the index), leased, sent,
 * logged and removed.
 */
const [rowsInTurn, turnMs] = [500, 5_000];
const rowsInPage = 100;
/** Rows in one transaction. */
const rowsAtOnce = 25;
const mostTries = 10;

type Asked = Pick<Pass, 'clientId' | 'does' | 'only' | 'sinceMs' | 'type' | 'transaction'>;

/** A pass to be put in the write that causes it. A withhold waits until senders that saw the former record have ended. */
export const newPass = (
  asked: Asked,
  nowMs: number,
  { newId, leaseMs }: { newId: () => string; leaseMs: number },
): Pass => ({
  ...asked,
  kind: 'PASS',
  id: asked.does === 'withhold' ? 'withhold' : `${String(nowMs).padStart(14, '0')}#${newId()}`,
  untilMs: nowMs,
  dueAtMs: asked.does === 'withhold' ? nowMs + leaseMs : nowMs,
  revision: 0,
});

type RecordChange = Pick<PartnerChange, 'before' | 'after'>;

const isReceiving = ({ enabled, webhookUrl }: PartnerChange['after']) => enabled && webhookUrl !== undefined;

/** Whether a change begins to send, or sends elsewhere. What was withheld before must not go there. */
const beginsAnew = ({ before, after }: RecordChange): boolean =>
  isReceiving(after) && (!isReceiving(before) || before.webhookUrl !== after.webhookUrl);

/**
 * What a change of a partner's record does to its events, as parts of the same write: a removal and a disabling withhold what
 * waits, a resume and an enabling wake it. A change that begins to send is refused while a withhold is at work.
 */
export const eventStatements = (
  TableName: string,
  { before, after }: RecordChange,
  { nowMs, ...about }: { nowMs: number; leaseMs: number; newId: () => string },
): Statement[] => {
  const { clientId } = after;
  const pass = (does: 'wake' | 'withhold'): Statement => ({
    Put: putPass(TableName, newPass({ clientId, does }, nowMs, about)),
  });
  if (isReceiving(before) && !isReceiving(after)) return [pass('withhold')];
  const isResumed = before.webhookPaused !== undefined && after.webhookPaused === undefined;
  const wakes = isReceiving(after) && (isResumed || (after.enabled && !before.enabled));
  return [
    ...(beginsAnew({ before, after }) ? [{ ConditionCheck: noWithhold(TableName, clientId) }] : []),
    ...(wakes ? [pass('wake')] : []),
  ];
};

/** A turn of a partner's passes, one pass at a time. Returns whether there is more to do at once. */
export const takeTurn = async (clientId: string, deps: PassDeps): Promise<boolean> => {
  const { table, clock, settings } = deps;
  const passes = await table.passesOf(clientId);
  const nowMs = clock().getTime();
  // A withhold ends everything. A whole wake does what other wakes do, and begins anew for what rests since.
  const withhold = passes.find(({ does }) => does === 'withhold');
  const wake = passes.findLast(({ does, only }) => does === 'wake' && only === undefined);
  const chosen = withhold ?? wake ?? passes[0];
  if (!chosen || !isDue(chosen, nowMs)) return false;
  const others = passes.filter((one) => one !== chosen);
  if (others.some(({ leasedUntilMs = 0 }) => leasedUntilMs > nowMs)) return false;
  const lease = { ...chosen, leasedUntilMs: nowMs + settings.leaseMs };
  if (!(await table.save(lease))) return false;
  const moot = others.filter(({ does }) => chosen === withhold || (chosen === wake && does === 'wake'));
  await Promise.all(moot.map((one) => table.remove(one)));
  const leased = { ...lease, revision: lease.revision + 1 };
  const next = await walkedOn(leased, nowMs, deps);
  if (!next) {
    await table.remove(leased);
    return others.length > moot.length;
  }
  // Before a withhold looks once more, what it has made due is ended.
  const isAtOnce = next.does !== 'withhold' || next.after !== undefined;
  const dueAtMs = clock().getTime() + (isAtOnce ? 0 : turnMs);
  return (await table.save({ ...atRest(next), dueAtMs })) && isAtOnce;
};

/** The pass as it goes on; nothing where it has ended. */
const walkedOn = async (pass: Pass, beganAtMs: number, deps: PassDeps): Promise<Pass | undefined> => {
  const { after: _, hasFound: hadFound, ...walk } = pass;
  const isOwing = pass.does === 'replay' && !pass.isOwed;
  let { after } = pass;
  let done = 0;
  do {
    const page = { limit: rowsInPage, after };
    const { changes, next } = isOwing ? await debtsIn(pass, page, deps) : await rowsIn(pass, page, deps);
    for (const some of chunksOf(changes, rowsAtOnce)) {
      await carryOut(pass, some, deps);
      done += some.length;
      await deps.pause(beganAtMs + (done * turnMs) / rowsInTurn - deps.clock().getTime());
    }
    after = next;
  } while (after !== undefined && done < rowsInTurn && deps.clock().getTime() < beganAtMs + turnMs);
  const hasFound = hadFound === true || done > 0;
  if (after !== undefined) return { ...walk, after, ...(hasFound && { hasFound }) };
  if (isOwing) return { ...walk, isOwed: true };
  // A sender may have put a row to rest, or owed one, behind the walk.
  return pass.does === 'withhold' && hasFound ? walk : undefined;
};

/** What a pass does to one row: undefined where there is nothing to do. `read` where the walk has read it already. */
type Change = {
  key: ReturnType<typeof backlogKey>;
  read?: BacklogRow;
  change: (row: BacklogRow | undefined) => BacklogRow | undefined;
};
type Changes = { changes: Change[]; next?: string };

/** Together, on the condition that the pass is still this worker's; what somebody else wrote meanwhile, one by one. */
const carryOut = async (pass: Pass, changes: readonly Change[], { table }: PassDeps): Promise<void> => {
  const unread = changes.flatMap(({ read, key }) => (read ? [] : key));
  const rows = new Map((await table.read(unread)).map((row) => [textOf(row), row as BacklogRow]));
  const changed = changes.flatMap(({ read, key, change }) => change(read ?? rows.get(textOf(key))) ?? []);
  if (changed.length === 0 || (await table.saveWithin(pass, changed))) return;
  for (const { key, change } of changes)
    for (let tries = 0; tries < mostTries; tries += 1) {
      const [row] = (await table.read([key])) as BacklogRow[];
      const next = change(row);
      if (!next || (await table.saveWithin(pass, [next]))) break;
    }
};

type Page = { limit: number; after: string | undefined };

/** Rows that the pass makes due. Each gets a new revision, so that a sender that saw the pause cannot put it to rest. */
const rowsIn = async (
  { clientId, does, only, transaction }: Pass,
  page: Page,
  { table, clock }: PassDeps,
): Promise<Changes> => {
  const { rows, ...more } = await table.backlogOf(clientId, page);
  const isMeant = ({ reason, dueAtMs, expiresAtMs, uuid }: BacklogRow) => {
    if (does === 'withhold') return true;
    if (does === 'replay') return reason === 'REPLAY';
    if ((transaction ?? uuid) !== uuid) return false;
    if (only === 'GIVEN_UP') return expiresAtMs !== undefined;
    return only === undefined || (dueAtMs === undefined && expiresAtMs === undefined);
  };
  const madeDue = (row: BacklogRow | undefined): BacklogRow | undefined => {
    if (!row) return undefined;
    // What the pass makes due is nobody's first event, however many rows there are.
    const { expiresAtMs: _, isFirst: _first, ...rest } = row;
    const dueAtMs = Math.min(row.dueAtMs ?? Number.POSITIVE_INFINITY, clock().getTime());
    return { ...rest, dueAtMs, ...(does === 'withhold' && { reason: 'REMOVED' }) } as BacklogRow;
  };
  const changes = rows
    .filter(isMeant)
    .map((read): Change => ({ key: keyOfRow(read) as Change['key'], read, change: madeDue }));
  return { changes, ...more };
};

/** Everything that a partner was sent, or should have been sent, is owed once more, without a time. */
const debtsIn = async (pass: Pass, page: Page, { table }: PassDeps): Promise<Changes> => {
  const { clientId, sinceMs = 0, untilMs = Number.POSITIVE_INFINITY, type, transaction } = pass;
  const { lines, ...more } = await table.linesSince(clientId, sinceMs, page);
  const debts = lines
    .filter(({ atMs }) => atMs <= untilMs)
    .filter((line) => (type ?? line.type) === line.type && (transaction ?? line.uuid) === line.uuid)
    .flatMap(debtOf);
  const changes = [...Map.groupBy(debts, ({ key }) => textOf(key)).values()].map((some): Change => {
    const [{ key, uuid }] = some as [(typeof debts)[number]];
    const debt = some.map(({ owed }) => owed).reduce(both);
    return {
      key,
      change: (row) =>
        row?.reason === 'REPLAY' && covers(row, debt)
          ? undefined
          : owing(row, { uuid, clientId, ...debt, reason: 'REPLAY', tries: 0 }),
    };
  });
  // The log goes on while it is walked.
  return lines.some(({ atMs }) => atMs > untilMs) ? { changes } : { changes, ...more };
};

const debtOf = ({ type, uuid, clientId, from, to }: LogLine) => {
  // A test of an endpoint has no transaction.
  if (type === testEventType) return [];
  const owed = owingOf(type as EventType, { from, to });
  return [{ uuid, owed, key: backlogKey(uuid, clientId, owed) }];
};

/** The earlier update, or the later completion. */
const both = (one: Owing, other: Owing): Owing =>
  one.from !== undefined && other.from !== undefined
    ? { from: Math.min(one.from, other.from) }
    : { completed: Math.max(one.completed ?? 0, other.completed ?? 0) };

const covers = (row: Owing, debt: Owing) =>
  debt.from === undefined ? row.completed === debt.completed : (row.from ?? debt.from + 1) <= debt.from;
