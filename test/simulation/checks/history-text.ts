import type { Facts, Finding } from './facts.ts';

/** What led to a finding, and what came of it. */
const [beforeMs, afterMs] = [6 * 60_000, 60_000];

/** The findings, and what happened to their transactions: virtual times, processes, and each record of the history in short. */
export const historyText = ({ world: { history } }: Facts, findings: readonly Finding[]): string => {
  const uuids = findings.flatMap(({ uuid }) => uuid ?? []);
  const names = uuids;
  const isNamedIn = (record: object) => names.some((name) => JSON.stringify(record).includes(name));
  const isNear = (atMs: number) =>
    findings.some(
      (one) => one.atMs === undefined || (atMs > one.atMs - beforeMs && atMs < one.atMs + afterMs),
    );
  const { commits, notes, accepted, arrivals, lostRecords } = history;
  const named = Object.entries({ commits, notes, accepted, arrivals, lostRecords }).flatMap(
    ([kind, records]) =>
      records
        .filter((record) => isNear(record.atMs) && isNamedIn(record))
        .map((record) => ({ kind, record })),
  );
  const others = Object.entries({ fault: history.struck, partner: history.partnerStates }).flatMap(
    ([kind, records]) => records.filter(({ atMs }) => isNear(atMs)).map((record) => ({ kind, record })),
  );
  const records = uuids.length === 0 ? [] : [...named, ...others];
  return [
    ...findings.map(({ invariant, what, uuid = '', atMs }) =>
      [invariant, atMs === undefined ? 'at the end' : timeText(atMs), uuid, what].join('  '),
    ),
    ...records
      .toSorted((one, other) => one.record.atMs - other.record.atMs)
      .map(({ kind, record }) => `${timeText(record.atMs)}  ${kind.padEnd(12)} ${inShort(record)}`),
  ].join('\n');
};

/** `00:12:03.412` since the world began. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

/** Whole states, events and bodies are left out. */
const long = ['atMs', 'before', 'transaction', 'bodies', 'body', 'detail', 'message'];
const inShort = (record: object) =>
  JSON.stringify(record, (name, value) => (long.includes(name) ? undefined : value)).slice(0, 400);
