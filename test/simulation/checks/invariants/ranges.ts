import type { Row } from '../../../../functions/shared/events/rows.ts';
import { type Facts, type Finding, type Sending, unless } from '../facts.ts';

/** I4: no older data is put on the bus after newer ones for the same partner. */
export const nothingOlderIsSent = ({ sendings }: Facts): Finding[] =>
  pairsOf(sendings).flatMap((pair) =>
    pair.slice(1).flatMap((one, index) => {
      const before = Math.max(...pair.slice(0, index + 1).map(({ to }) => to));
      const what = `${one.clientId} is sent up to ${one.to} after up to ${before}`;
      return unless(one.to >= before, { invariant: 'I4', uuid: one.uuid, atMs: one.atMs, what });
    }),
  );

/** I1: a first sending begins where the last one ended, or before. Known gaps: not entitled between. Where nothing goes wrong and no partner changes. */
export const rangesJoin = ({ sendings, world: { plan, history } }: Facts): Finding[] => {
  const isPlain = plan.mode === 'none';
  if (!isPlain) return [];
  return pairsOf(sendings).flatMap((pair) =>
    pair.slice(1).flatMap((one, index) => {
      const reached = Math.max(...pair.slice(0, index + 1).map(({ to }) => to));
      const before = pair[index];
      const changed = history.partnerStates.some(
        ({ clientId, atMs }) =>
          clientId === one.clientId && atMs > (before?.atMs ?? 0) - 20_000 && atMs <= one.atMs,
      );
      const moved = history.commits.some(
        ({ after, before: was, atMs }) =>
          after.transaction.uuid === one.uuid &&
          atMs > (before?.atMs ?? 0) &&
          atMs <= one.atMs &&
          JSON.stringify(after.transaction.ndMeta) !== JSON.stringify(was?.transaction.ndMeta),
      );
      const what = `${one.clientId} is sent from ${one.from}, and was sent up to ${reached}`;
      return unless(changed || moved || one.from <= reached, {
        invariant: 'I1',
        uuid: one.uuid,
        atMs: one.atMs,
        what,
      });
    }),
  );
};

/** I6: one range of one transaction has one id, and the same ids the same content, but for its time. */
export const rangesHaveOneId = ({ sendings }: Facts): Finding[] =>
  [...Map.groupBy(sendings, ({ eventId }) => eventId).values()].flatMap((some) => {
    const names = new Set(
      some.map(({ uuid, from, to, detailType }) => `${uuid}/${from}/${to}/${detailType}`),
    );
    const [first] = some;
    return unless(names.size === 1, {
      invariant: 'I6',
      ...(first && { uuid: first.uuid }),
      what: `${first?.eventId} has several ranges`,
    });
  });

/** A backlog row waits while something newer is pending: what it tells was told to everybody before. */
export const backlogTellsWhatWasTold = ({ sendings, commits, world: { history } }: Facts): Finding[] => {
  const told = Map.groupBy(
    history.writes.filter(({ row }) => row.kind === 'NOTIFY' && row.notifiedVersion !== undefined),
    ({ row }) => (row as Row).uuid,
  );
  return sendings
    .filter(({ isAgain, detailType }) => isAgain && detailType === 'TransactionUpdated')
    .flatMap(({ uuid, to, atMs, clientId }) => {
      const after = commits.get(uuid)?.find((commit) => commit.after.version === to)?.after;
      const changedAt = Math.max(...Object.values(after?.elementVersions ?? {}));
      const reached = (told.get(uuid) ?? [])
        .filter((write) => write.atMs <= atMs)
        .map(({ row }) => (row.kind === 'NOTIFY' ? (row.notifiedVersion ?? 0) : 0));
      const isTold = Math.max(0, (after?.notifyFromVersion ?? 1) - 1, ...reached) >= changedAt;
      return unless(isTold, {
        ...{ invariant: 'I2', uuid, atMs },
        what: `${clientId} is sent up to ${to} by its backlog, and that is pending yet`,
      });
    });
};

const pairsOf = (sendings: readonly Sending[]) => [
  ...Map.groupBy(
    sendings.filter(({ detailType }) => detailType === 'TransactionUpdated'),
    ({ clientId, uuid }) => `${clientId}/${uuid}`,
  ).values(),
];
