import { decideRecipient } from '../../../../functions/shared/domain/event/recipient.ts';
import { textOf } from '../../../../functions/shared/events/rows.ts';
import { shardOf as shardOfRow } from '../../../../functions/shared/events/table.ts';
import { type Facts, type Finding, unless } from '../facts.ts';

/** I13: requests to the bus are within its limits. */
export const limitsAreKept = ({ world: { history } }: Facts): Finding[] =>
  history.puts.flatMap(({ atMs, entries, bytes }) =>
    unless(entries <= 10 && bytes <= 1_000_000, {
      invariant: 'I13',
      atMs,
      what: `${entries} entries of ${bytes} bytes`,
    }),
  );

/** The index may show a row where it was, and who has read it there may be held back for a minute. */
const indexLateMs = 120_000;

/** EV-26: a worker of first events sends nothing again, but what the bus refused or left open. */
export const backlogHasItsShard = ({ world: { history } }: Facts): Finding[] => {
  const shardOf = new Map(history.workers.map(({ by, shard }) => [by, shard]));
  const writes = Map.groupBy(history.writes, ({ row }) => textOf(row));
  return history.leases.flatMap(({ atMs, by, row }) => {
    const shard = shardOf.get(by);
    // The index may show a row yet where it was before it was given up, or held.
    const before = (writes.get(textOf(row)) ?? []).filter((write) => write.atMs <= atMs);
    const lately = before.findLastIndex((write) => write.atMs <= atMs - indexLateMs);
    const isRight = before.slice(Math.max(0, lately)).some((write) => shardOfRow(write.row) === shard);
    return unless(shard === undefined || isRight || shardOfRow(row) === shard, {
      invariant: 'EV-26',
      atMs,
      uuid: row.uuid,
      what: `${by} of shard ${shard} leases ${JSON.stringify(row)}`,
    });
  });
};

/** S-77: while everything is stopped nothing is sent, but what was under way. */
export const stopIsKept = ({ sendings, world: { history, plan } }: Facts): Finding[] => {
  const requestMs = plan.graceMs === 10 ? 3 : plan.mode === 'none' ? 300 : 20_000;
  return sendings.flatMap(({ atMs, uuid, by }) => {
    const last = history.stops.findLast((one) => one.atMs <= atMs);
    const isWell = !last?.isStopped || atMs - last.atMs <= requestMs;
    return unless(isWell, {
      invariant: 'S-77',
      uuid,
      atMs,
      what: `${by} sends ${atMs - (last?.atMs ?? 0)} ms after the stop`,
    });
  });
};

/** I9: a completion that is sent again goes to nobody who may not see it any more, with no time of grace but a request's. */
export const completionsAgainKeepScope = ({
  sendings,
  partnerAt,
  commits,
  world: { plan },
}: Facts): Finding[] =>
  sendings
    .filter(({ isAgain, detailType }) => isAgain && detailType === 'TransactionCompleted')
    .flatMap(({ clientId, uuid, atMs, by }) => {
      const requestMs = plan.graceMs ?? (plan.mode === 'none' ? 1_000 : 20_000);
      const maySee = (ms: number) => {
        const partner = partnerAt(clientId, ms);
        const owner = commits.get(uuid)?.findLast((commit) => commit.atMs <= ms)?.after.transaction.ndMeta;
        return (
          decideRecipient(partner, owner) !== 'OUT_OF_SCOPE' &&
          partner?.enabled === true &&
          partner.webhookUrl !== undefined
        );
      };
      const times = Array.from({ length: 101 }, (_, index) => atMs - (index * requestMs) / 100);
      return unless(times.some(maySee), {
        ...{ invariant: 'I9', uuid, atMs },
        what: `${by} sends the completion again to ${clientId}, which may not see it`,
      });
    });
