import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { Note } from '../service/history.ts';
import type { Facts, Finding } from './facts.ts';

type Line = { atMs: number; who: string; what: string };

/** What happened to the transactions of some findings, for a reader: virtual times, processes, steps. */
export const historyText = (facts: Facts, findings: readonly Finding[]): string => {
  const uuids = new Set(findings.flatMap(({ uuid }) => uuid ?? []));
  const lines = uuids.size === 0 ? [] : linesOf(facts, uuids);
  return [
    ...findings.map(({ invariant, what, uuid, atMs }) =>
      [invariant, atMs === undefined ? 'at the end' : timeText(atMs), uuid ?? '', what].join('  '),
    ),
    '',
    ...lines
      .filter(({ atMs }) => isNear(findings, atMs))
      .sort((one, other) => one.atMs - other.atMs)
      .map(textOf),
  ].join('\n');
};

/** What led to a finding, and what came of it; everything where a finding has no time. */
const isNear = (findings: readonly Finding[], atMs: number) =>
  findings.some(
    (finding) =>
      finding.atMs === undefined || (atMs > finding.atMs - beforeMs && atMs < finding.atMs + afterMs),
  );
const beforeMs = 6 * 60_000;
const afterMs = 60_000;

const textOf = ({ atMs, who, what }: Line) => `${timeText(atMs)}  ${who.padEnd(24)} ${what}`;

/** `00:12:03.412` since the world began. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

const linesOf = (facts: Facts, uuids: ReadonlySet<string>): Line[] => {
  const { history } = facts.world;
  const isMeant = (uuid: string | undefined) => uuid !== undefined && uuids.has(uuid);
  const isOfEvent = ({ eventId }: { eventId: string }) => isMeant(facts.uuidOf(eventId));
  const notes = history.notes.filter((note) => isMeant(uuidOf(facts, note)));
  const names = new Set(notes.map(({ by }) => by));
  return [
    ...history.commits
      .filter(({ after }) => isMeant(after.transaction.uuid))
      .map(({ atMs, by, after }) => ({
        atMs,
        who: by,
        what: `writes version ${after.version}${partsOf(after)}`,
      })),
    ...notes.map(({ atMs, by, call, answer }) => ({
      ...{ atMs, who: by },
      what: `${call.port}.${call.method} ${argumentsOf(call.args)} → ${answerText(answer)}`,
    })),
    ...history.accepted.filter(isOfEvent).map(({ atMs, by, clientId, detailType, from, to, busEventId }) => ({
      ...{ atMs, who: by },
      what: `the bus takes ${detailType} (${from}, ${to}] for ${clientId} as ${busEventId}`,
    })),
    ...history.arrivals
      .filter(({ headers }) => isMeant(facts.uuidOf(headers['Idempotency-Key'] ?? '')))
      .map(({ atMs, clientId, answer }) => ({
        atMs,
        who: clientId,
        what: `receives it and answers ${answer}`,
      })),
    ...history.partnerStates.map(({ atMs, clientId, partner }) => ({
      ...{ atMs, who: clientId },
      what: partner
        ? `is ${partner.enabled ? 'enabled' : 'disabled'}${partner.webhookPaused ? ', paused' : ''}, has ${JSON.stringify(partner.grants)} and ${partner.webhookUrl ?? 'no endpoint'}`
        : 'is gone',
    })),
    ...history.lostRecords
      .filter(({ uuid }) => isMeant(uuid))
      .map(({ atMs }) => ({ atMs, who: 'stream', what: 'loses the record' })),
    ...history.struck
      .filter(({ what }) => what !== 'clock-off')
      .filter(({ by, uuid }) => (by === undefined ? true : names.has(by) || isMeant(uuid)))
      .map(({ atMs, by, what }) => ({ atMs, who: by ?? 'world', what: `FAULT ${what}` })),
  ];
};

const partsOf = ({ elementVersions, version }: { elementVersions: object; version: number }) => {
  const parts = Object.entries(elementVersions).filter(([, at]) => at === version);
  return parts.length === 0 ? '' : `: ${parts.map(([name]) => name).join(', ')}`;
};

const uuidOf = (facts: Facts, { call: { args } }: Note): string | undefined => {
  const [first] = args as [
    { uuid?: string; eventId?: string; key?: { uuid: string }; deliveries?: { uuid: string }[] },
  ];
  if (first?.key) return first.key.uuid;
  if (first?.uuid !== undefined) return first.uuid;
  if (first?.eventId !== undefined) return facts.uuidOf(first.eventId);
  return first?.deliveries?.[0]?.uuid;
};

/** In short: whole events and bodies are in the delivery log. */
const argumentsOf = (args: readonly unknown[]) =>
  args
    .map((argument) =>
      JSON.stringify(argument, (name, value) => {
        if (name === 'event') return rangeOf(value as TransactionEvent);
        return ['bodies', 'deliveries', 'timeline', 'uuid', 'transaction', 'inflight'].includes(name)
          ? undefined
          : value;
      }),
    )
    .join(' ');

const rangeOf = ({ type, from, to, elements, recipients }: TransactionEvent) =>
  `${type} (${from}, ${to}] ${elements} for ${recipients}`;

const answerText = (answer: unknown) => {
  const text = JSON.stringify(answer) ?? 'done';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};
