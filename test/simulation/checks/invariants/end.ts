import type { Everything } from '../../service/stores.ts';
import { type Facts, type Finding, lostOf, skewMs } from '../facts.ts';

/** I19: quiet end. Nothing is due or leased, but what waits for an endpoint; everybody was told every version. */
export const endIsQuiet = (facts: Facts): Finding[] => {
  const { atTenMinutes, left, plan } = facts.world;
  const lately = plan.activeMs - 60_000;
  const isLost = (uuid: string) => lostOf(facts, uuid).some(({ atMs }) => atMs > lately);
  return [
    ...restless(facts, atTenMinutes, plan.activeMs + 10 * 60_000).filter(({ uuid }) => !isLost(uuid ?? '')),
    ...restless(facts, left, plan.activeMs + plan.restMs),
  ].map((finding) => ({ ...finding, invariant: 'I19' }));
};

const restless = (
  facts: Facts,
  { rows, transactions }: Everything,
  atMs: number,
): Omit<Finding, 'invariant'>[] => {
  const nowMs = facts.world.history.epochMs + atMs;
  return [
    ...rows.flatMap((row) => {
      const isEndpoints =
        row.kind === 'BACKLOG' && (row.dueAtMs === undefined || row.dueAtMs > nowMs - 60_000 - skewMs(facts));
      return row.dueAtMs === undefined || isEndpoints
        ? []
        : [{ uuid: row.uuid, what: `still due: ${JSON.stringify(row)} by ${nowMs}` }];
    }),
    ...rows.flatMap((row) =>
      row.kind === 'BACKLOG' && row.expiresAtMs !== undefined && row.dueAtMs !== undefined
        ? [{ uuid: row.uuid, what: 'due, and expires (I12)' }]
        : [],
    ),
    ...transactions.flatMap(({ transaction: { uuid }, version, notifyFromVersion }) => {
      const row = rows.find((one) => one.uuid === uuid && one.kind === 'NOTIFY');
      const notified = (row?.kind === 'NOTIFY' ? row.notifiedVersion : undefined) ?? notifyFromVersion - 1;
      return notified === version
        ? []
        : [{ uuid, what: `not notified of version ${version}, only of ${notified}` }];
    }),
  ];
};

/** I16: what the bus took is in the log, unless its sender died or got no answer. */
export const sendingsAreLogged = ({ sendings, world: { left, plan } }: Facts): Finding[] => {
  if (plan.mode !== 'none') return [];
  const lines = new Set(left.lines.map(({ eventId, clientId }) => `${eventId}/${clientId}`));
  return sendings
    .filter(({ eventId, clientId }) => !lines.has(`${eventId}/${clientId}`))
    .map(({ eventId, uuid, atMs }) => ({
      invariant: 'I16',
      uuid,
      atMs,
      what: `${eventId} is not in the log`,
    }));
};

/** Every sending has its line by transaction, and nothing is left unwritten. */
export const sendingsAreLoggedByTransaction = ({ sendings, world: { left, plan } }: Facts): Finding[] => {
  const unwritten = left.rows.filter((row) => row.unwritten !== undefined);
  const lines = new Set(
    left.sendingLines.flatMap(({ uuid, type, outcomes, to }) =>
      Object.keys(outcomes).map((clientId) => `${uuid}/${type}/${to}/${clientId}`),
    ),
  );
  const missing =
    plan.mode === 'none'
      ? sendings.filter(
          ({ uuid, detailType, to, clientId }) => !lines.has(`${uuid}/${detailType}/${to}/${clientId}`),
        )
      : [];
  return [
    ...unwritten.map(({ uuid }) => ({ invariant: 'I16', uuid, what: 'something is still unwritten' })),
    ...missing.map(({ uuid, atMs, to }) => ({
      invariant: 'I16',
      uuid,
      atMs,
      what: `no line by transaction up to ${to}`,
    })),
  ];
};
