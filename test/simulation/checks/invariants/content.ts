import { type Facts, type Finding, unless } from '../facts.ts';

/** I6: same range, same id and bytes; another range, another id. */
export const rangesHaveOneId = ({ world }: Facts): Finding[] => {
  const ids = new Map<string, string>();
  const ranges = new Map<string, string>();
  const texts = new Map<string, Set<string>>();
  return world.history.accepted.flatMap(({ eventId, message, detailType, from, to, atMs }) => {
    const { uuid } = JSON.parse(message).detail as { uuid: string };
    const range = `${detailType} ${uuid} (${from}, ${to}]`;
    const known = texts.get(eventId) ?? new Set();
    texts.set(eventId, known.add(message));
    const isSame = (ids.get(range) ?? eventId) === eventId && (ranges.get(eventId) ?? range) === range;
    ids.set(range, eventId);
    ranges.set(eventId, range);
    // One with payment tokens, and one without.
    const isKept = world.left.events.some(
      ({ event, bodies }) => event.eventId === eventId && Object.values(bodies ?? {}).includes(message),
    );
    const what = `${range} has another id or other bytes: ${eventId}`;
    return unless(isSame && known.size <= 2 && isKept, { invariant: 'I6', uuid, atMs, what });
  });
};

/** I13: limits of sizes and entries (EV-9, PutEvents). No log, status entry or reason contains what callers wrote. */
export const limitsAreKept = ({ world: { history, left } }: Facts): Finding[] => {
  const notes = left.events.flatMap(({ deliveries }) =>
    deliveries.map(({ timeline, reason }) => JSON.stringify([timeline, reason])),
  );
  const isLeaking = (text: string) => /canary|signature-/.test(text);
  return [
    ...history.puts
      .filter(({ entries, bytes }) => entries > 10 || bytes >= 1_000_000)
      .map(({ entries, bytes, atMs }) => {
        return { invariant: 'I13', atMs, what: `${entries} entries of ${bytes} bytes` };
      }),
    ...history.accepted
      .filter(({ detail }) => Buffer.byteLength(detail) > 60_000)
      .map(({ eventId, atMs }) => ({ invariant: 'I13', atMs, what: `${eventId} is larger than 60 kB` })),
    ...[...history.logs, ...notes].filter(isLeaking).map((what) => ({ invariant: 'I13', what })),
  ];
};
