import { type Pass, type Row, textOf } from '../../../../functions/shared/events/rows.ts';
import { shardOf, shards } from '../../../../functions/shared/events/table.ts';
import type { Commit, RowWrite } from '../../service/history.ts';
import { type Facts, type Finding, unless } from '../facts.ts';

/** I1, I8: what was owed ends by a later sending of it, by a line that says that it was withheld, or is owed yet. */
export const debtsAreKept = ({
  sendings,
  partnerAt,
  commits,
  world: { history, left },
}: Facts): Finding[] => {
  const pairOf = (one: { uuid: string; clientId: string }) => `${one.uuid}/${one.clientId}`;
  const sent = Map.groupBy(sendings, pairOf);
  const lines = Map.groupBy(left.lines, pairOf);
  const leftRows = new Map(left.rows.map((row) => [textOf(row), row]));
  return history.writes.flatMap(({ row, isRemoval, atMs }) => {
    // What is owed by this write, or owed once more.
    if (row.kind !== 'BACKLOG' || isRemoval || row.owed !== 0) return [];
    const name = textOf(row);
    const { uuid, clientId, from, completed, reason } = row;
    const states = commits.get(uuid) ?? [];
    const isMoot =
      partnerAt(clientId, Number.POSITIVE_INFINITY) === undefined ||
      (from === undefined ? isUndone(states) : states.some(({ after }) => after.transaction.isDeleted === 1));
    const later = (sent.get(pairOf(row)) ?? []).filter((one) => one.atMs > atMs);
    const isSent = later.some((one) =>
      from === undefined
        ? one.detailType === 'TransactionCompleted' && one.to === completed
        : one.detailType === 'TransactionUpdated' && one.from <= from,
    );
    const isWithheld = (lines.get(pairOf(row)) ?? []).some(
      (line) => line.outcome === 'WITHHELD' && line.atMs >= history.epochMs + atMs - 5_000,
    );
    const now = leftRows.get(name);
    const isOwed =
      now?.kind === 'BACKLOG' &&
      (from === undefined ? now.completed === completed : (now.from ?? from + 1) <= from);
    return unless(isMoot || isSent || isWithheld || isOwed, {
      invariant: from === undefined ? 'I8' : 'I1',
      uuid,
      atMs,
      what: `${clientId} was owed ${JSON.stringify({ from, completed, reason })}, and that was lost`,
    });
  });
};

/** A completion is not told after a restore, or of a deleted transaction. */
const isUndone = (states: readonly Commit[]) => {
  const completedAt = states.findIndex(({ after }) => after.transaction.status === 1);
  return (
    completedAt < 0 ||
    states
      .slice(completedAt)
      .some(({ after: { transaction } }) => transaction.status === 0 || transaction.isDeleted === 1)
  );
};

/** A row that waits for a resume never expires. */
export const waitingRowsStay = ({ world: { history } }: Facts): Finding[] => {
  const isWaiting = ({ row }: { row: Row | Pass }) =>
    row.kind === 'BACKLOG' && ['PAUSED', 'NOT_READY'].includes(row.reason);
  return [...Map.groupBy(history.writes, ({ row }) => textOf(row)).values()].flatMap((writes) =>
    writes.flatMap((write, index) => {
      const before = writes[index - 1];
      const { row, isRemoval, atMs, by } = write;
      // Its sender alone may give it another reason.
      const wasWaiting =
        before &&
        !before.isRemoval &&
        isWaiting(before) &&
        (before.by !== by || before.row.leasedUntilMs === undefined);
      const expires = !isRemoval && 'expiresAtMs' in row && row.expiresAtMs !== undefined;
      return unless(!expires || !(isWaiting(write) || wasWaiting), {
        ...{ invariant: 'I12', uuid: 'uuid' in row ? row.uuid : '', atMs },
        what: `${by} has a row expire that waits: ${JSON.stringify(row)}`,
      });
    }),
  );
};

/** I19: a pass ends. */
export const passesEnd = ({ world: { left } }: Facts): Finding[] =>
  left.passes.map((pass) => ({ invariant: 'I19', what: `a pass is left: ${JSON.stringify(pass)}` }));

/** I24: the daily look of the reconciler finds nothing that waits for a pass that never came. */
export const nothingIsForgotten = ({ world: { history, plan } }: Facts): Finding[] =>
  plan.forgets
    ? []
    : history.writes.flatMap(({ row, atMs }) =>
        row.kind === 'PASS' && row.only === 'WAITING'
          ? [{ invariant: 'I24', atMs, what: `rows of ${row.clientId} wait for nothing` }]
          : [],
      );

/** A line may be written so long after its time. */
const lineLateMs = 60_000;

/** I24: what a replay asks for is sent again, withheld, or owed yet, unless a removal ended it. */
export const replaysAreDone = ({
  sendings,
  partnerAt,
  commits,
  world: { history, left },
}: Facts): Finding[] =>
  history.passesPut.flatMap(({ pass, atMs }) => {
    const { clientId, does, sinceMs = 0, untilMs = 0 } = pass;
    const isEnded = history.passesPut.some(
      (one) => one.pass.clientId === clientId && one.pass.does === 'withhold' && one.atMs > atMs - lineLateMs,
    );
    if (does !== 'replay' || isEnded || partnerAt(clientId, Number.POSITIVE_INFINITY) === undefined)
      return [];
    const isMine = (one: { clientId: string }) => one.clientId === clientId;
    const asked = left.lines.filter(
      (line) =>
        isMine(line) &&
        line.type === 'TransactionUpdated' &&
        line.atMs >= sinceMs &&
        line.atMs < untilMs - lineLateMs &&
        // A restore raises the version without a change.
        !commits.get(line.uuid)?.some(({ after }) => after.version > 1e12),
    );
    return asked.flatMap(({ uuid, from, eventId }) => {
      const isOfIt = (one: { uuid: string; clientId: string }) => one.uuid === uuid && isMine(one);
      const isSent = sendings.some(
        (one) =>
          isOfIt(one) && one.atMs > atMs && one.detailType === 'TransactionUpdated' && one.from <= from,
      );
      const isWithheld = left.lines.some(
        (line) => isOfIt(line) && line.outcome === 'WITHHELD' && line.atMs > history.epochMs + atMs,
      );
      const isOwed = left.rows.some(
        (row) =>
          row.kind === 'BACKLOG' &&
          isOfIt(row) &&
          (row.from ?? from + 1) <= from &&
          row.expiresAtMs === undefined,
      );
      const what = `${eventId} from ${from} is not sent again to ${clientId} by ${pass.id}`;
      return unless(isSent || isWithheld || isOwed, { invariant: 'I24', uuid, atMs, what });
    });
  });

/** EV-26: what the bus has refused of a first telling, or left open, is sent beside first events. */
export const firstTellingsStayFirst = ({ world: { history } }: Facts): Finding[] =>
  history.writes.flatMap(({ row, atMs, by }) => {
    if (row.kind !== 'BACKLOG' || row.revision !== 0 || row.dueAtMs === undefined) return [];
    const isRefused = ['REFUSED_BY_BUS', 'UNCONFIRMED'].includes(row.reason);
    const what = `${by} owes it behind what is sent again: ${JSON.stringify(row)}`;
    return unless(!isRefused || shards.first.includes(shardOf(row)), {
      invariant: 'EV-26',
      uuid: row.uuid,
      atMs,
      what,
    });
  });

/** The longest life of a sender. */
const senderMs = 15_000;

/** EV-13: nobody owes to a new address what was meant for the one before it, within a sender's time. */
export const nothingIsOwedToAnotherAddress = ({ partnerAt, world: { history } }: Facts): Finding[] => {
  const leases = Map.groupBy(history.leases, ({ by, row }) => `${by}/${row.uuid}`);
  return history.writes.flatMap(({ row, atMs, by, isRemoval }) => {
    if (row.kind !== 'BACKLOG' || isRemoval || row.owed !== 0) return [];
    const { uuid, clientId } = row;
    const now = partnerAt(clientId, atMs)?.webhookUrl;
    const former = (leases.get(`${by}/${uuid}`) ?? [])
      .filter((lease) => lease.atMs <= atMs && lease.atMs > atMs - senderMs)
      .map((lease) => partnerAt(clientId, lease.atMs)?.webhookUrl);
    const isOther = former.some((url) => url !== undefined && now !== undefined && url !== now);
    const what = `${by} owes ${clientId} for its former address`;
    return unless(!isOther, { invariant: 'EV-13', uuid, atMs, what });
  });
};

/** I24: a pass that was taken over, or has ended, owes and withholds nothing any more. */
export const passesWriteAsTheirs = ({ world: { history } }: Facts): Finding[] => {
  const lastOf = new Map<string, RowWrite>();
  return history.writes.flatMap((write) => {
    const { row, by, atMs, within } = write;
    if (row.kind === 'PASS') lastOf.set(textOf(row), write);
    const pass = within === undefined ? undefined : lastOf.get(within);
    const what = `${by} writes for a pass that it has no longer`;
    return unless(pass === undefined || (pass.by === by && !pass.isRemoval), {
      invariant: 'I24',
      atMs,
      what,
    });
  });
};
