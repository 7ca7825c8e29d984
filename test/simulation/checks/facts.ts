import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { Row } from '../../../functions/shared/events/rows.ts';
import type { Accepted, Commit } from '../service/history.ts';
import type { World } from '../worlds/world.ts';

/** Something that must not be. */
export type Finding = { invariant: string; what: string; uuid?: string; atMs?: number };

/** The finding, unless all is well. */
export const unless = (isWell: boolean, finding: Finding): Finding[] => (isWell ? [] : [finding]);

/** One entry on the bus. `isAgain`: of a backlog row. */
export type Sending = Accepted & { uuid: string; isAgain: boolean };

/** A world's history put in order, once for all checks. */
export type Facts = {
  world: World;
  /** The states of each transaction, the first one first. */
  commits: Map<string, Commit[]>;
  sendings: Sending[];
  /** Rows that were settled, with the time of their lease. */
  tellings: { atMs: number; row: Row }[];
  partnerAt: (clientId: string, atMs: number) => Partner | undefined;
  clientIds: string[];
};

/** Of which type the events are that come of a row. */
const typeOf = (row: Row) =>
  row.kind === 'COMPLETED' || (row.kind === 'BACKLOG' && row.completed !== undefined)
    ? 'TransactionCompleted'
    : 'TransactionUpdated';

/** Puts a world's history in order. */
export const factsOf = (world: World): Facts => {
  const { history, plan } = world;
  const statesOf = Map.groupBy(history.partnerStates, ({ clientId }) => clientId);
  const nameOf = (by: string, row: Row) => `${by}/${row.uuid}/${row.kind}`;
  const leases = new Map(history.leases.map((lease) => [nameOf(lease.by, lease.row), lease]));
  const leasesBy = Map.groupBy(history.leases, ({ by, row }) => `${by}/${row.uuid}`);
  const settled = Map.groupBy(
    history.writes.filter(({ row }) => row.kind === 'NOTIFY' && row.leasedUntilMs === undefined),
    ({ by, row }) => `${by}/${'uuid' in row ? row.uuid : ''}`,
  );
  const isSettled = (by: string, uuid: string, fromMs: number, toMs: number) =>
    (settled.get(`${by}/${uuid}`) ?? []).some((one) => one.atMs > fromMs && one.atMs <= toMs);
  /** By the last row that its sender had taken for this partner. */
  const isAgain = ({ by, clientId, atMs, detailType }: Accepted, uuid: string) =>
    (leasesBy.get(`${by}/${uuid}`) ?? [])
      .filter(({ row }) => typeOf(row) === detailType)
      .filter(
        ({ row, atMs: leasedMs }) =>
          leasedMs <= atMs && (row.kind !== 'BACKLOG' || row.clientId === clientId),
      )
      // A first telling that is under way beside it has its own lease yet.
      .filter(
        ({ row, atMs: leasedMs }, _, all) =>
          row.kind !== 'BACKLOG' ||
          !all.some(
            (one) =>
              one.row.kind === 'NOTIFY' && one.atMs <= leasedMs && !isSettled(by, uuid, one.atMs, atMs),
          ),
      )
      .at(-1)?.row.kind === 'BACKLOG';
  return {
    world,
    commits: Map.groupBy(history.commits, ({ after }) => after.transaction.uuid),
    sendings: history.accepted.map((one) => {
      const uuid = /"uuid":"([^"]+)"/.exec(one.message)?.[1] ?? '';
      return { ...one, uuid, isAgain: isAgain(one, uuid) };
    }),
    tellings: history.completedSends.flatMap(({ by, row }) => {
      const lease = leases.get(nameOf(by, row));
      return lease ? [{ atMs: lease.atMs, row }] : [];
    }),
    partnerAt: (clientId, atMs) => statesOf.get(clientId)?.findLast((state) => state.atMs <= atMs)?.partner,
    clientIds: plan.partners.map(({ partner }) => partner.clientId),
  };
};

/** How long after a look things may still be as they were seen: requests under way, or a whole run where things go wrong. */
export const graceMs = ({ world: { plan } }: Facts) =>
  plan.graceMs ?? (plan.mode === 'none' ? 2_000 : 20_000);

/** By how much two clocks may differ. */
export const skewMs = ({ world: { plan } }: Facts) => plan.skewMs ?? (plan.mode === 'none' ? 0 : 4_000);

export const lostOf = ({ world }: Facts, uuid: string) =>
  world.history.lostRecords.filter((lost) => lost.uuid === uuid);
