import type { Row } from '../../../../functions/shared/events/rows.ts';
import type { RowWrite } from '../../service/history.ts';
import { type Facts, type Finding, type Sending, unless } from '../facts.ts';

/** A lease, and what a late process does after it. */
const nearMs = 120_000;

/**
 * I7: the same range goes twice to a partner only after a fault of a process that had to do with it, a dead letter, or a
 * pass. A pause in the world of a partner alone excuses nothing.
 */
export const duplicatesHaveReasons = (facts: Facts): Finding[] => {
  const { history, left } = facts.world;
  const writesOf = Map.groupBy(
    history.writes.filter((write): write is RowWrite & { row: Row } => write.row.kind !== 'PASS'),
    ({ row }) => row.uuid,
  );
  const struckBy = Map.groupBy(history.struck, ({ by = '' }) => by);
  const named = Map.groupBy(facts.sendings, ({ eventId, clientId }) => `${eventId}/${clientId}`);
  const pairs = [...named.values()].flatMap((some) =>
    some.slice(1).map((again, index) => [some[index], again]),
  );
  return (pairs as [Sending, Sending][]).flatMap(([first, again]) => {
    const { clientId, uuid, eventId, atMs } = again;
    const isNear = (ms: number) => ms > first.atMs - nearMs && ms < atMs + 1_000;
    const writes = (writesOf.get(uuid) ?? []).filter((write) => isNear(write.atMs));
    const hands = new Set([first.by, again.by, ...writes.map(({ by }) => by)]);
    // An entry that is refused alone is no reason: another partner's, or one that was not taken.
    const wasStruck = [...hands].some((by) =>
      (struckBy.get(by) ?? []).some((one) => isNear(one.atMs) && !one.what.includes('refused')),
    );
    const wasHeldBack = history.struck.some((one) => one.what.startsWith('everybody') && isNear(one.atMs));
    const hasLetter = left.lines.some(
      (line) =>
        line.clientId === clientId &&
        line.uuid === uuid &&
        line.outcome === 'FAILED' &&
        line.reason !== 'REFUSED_BY_BUS' &&
        line.atMs <= history.epochMs + atMs + 1_000,
    );
    const isOwedAgain = writes.some(
      ({ row, by }) => row.kind === 'BACKLOG' && row.clientId === clientId && /^(operator|letter)/.test(by),
    );
    const isReplayed = history.passesPut.some(
      ({ pass, atMs: putMs }) => pass.clientId === clientId && pass.does === 'replay' && putMs < atMs,
    );
    return unless(wasStruck || wasHeldBack || hasLetter || isOwedAgain || isReplayed, {
      invariant: 'I7',
      uuid,
      atMs,
      what: `${eventId} is sent to ${clientId} by ${first.by} and ${again.by}`,
    });
  });
};
