import { textOf } from '../../../../functions/shared/events/rows.ts';
import { type Facts, type Finding, skewMs, unless } from '../facts.ts';

/** I4: one lease on a row at a time, and nothing is sent without one. */
export const leasesAreApart = (facts: Facts): Finding[] => {
  const { history } = facts.world;
  const slackMs = skewMs(facts);
  const rows = Map.groupBy(history.writes, ({ row }) => textOf(row));
  const overlapping = [...rows.values()].flatMap((writes) =>
    writes.slice(1).flatMap((one, index) => {
      const before = writes[index];
      const heldMs = before?.isRemoval === true ? 0 : (before?.row.leasedUntilMs ?? 0);
      const isTaken =
        one.row.leasedUntilMs !== undefined &&
        one.row.leasedUntilMs !== heldMs &&
        !one.isRemoval &&
        one.by !== before?.by;
      return unless(!isTaken || heldMs <= history.epochMs + one.atMs + slackMs, {
        ...{ invariant: 'I4', atMs: one.atMs, uuid: 'uuid' in one.row ? one.row.uuid : '' },
        what: `${one.by} takes a lease that ${before?.by} has`,
      });
    }),
  );
  const leases = Map.groupBy(history.leases, ({ by, row }) => `${by}/${row.uuid}`);
  const bare = facts.sendings.filter(
    (one) =>
      !(leases.get(`${one.by}/${one.uuid}`) ?? []).some(
        ({ atMs, row }) =>
          atMs <= one.atMs &&
          (row.leasedUntilMs ?? 0) + slackMs > history.epochMs + one.atMs &&
          (row.kind !== 'BACKLOG' || row.clientId === one.clientId),
      ),
  );
  return [
    ...overlapping,
    ...bare.map(({ by, uuid, atMs, clientId }) => ({
      invariant: 'I4',
      uuid,
      atMs,
      what: `${by} sends to ${clientId} without a lease`,
    })),
  ];
};
