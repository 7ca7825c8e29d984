import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';
import type { Call } from '../../simulation/kernel/process.ts';

/** The busiest second of one partition. */
export type Peak = { partition: string; unitsPerSecond: number };

/** Units of one call in a partition that many calls share. A transaction's own rows lie in partitions of their own. */
type Charge = { partition: string; read?: number; write?: number };

/** A strongly consistent read of up to 4 kB, and a write of up to 1 kB. */
const one = 1;
/** Entries of the index of due rows: 150 bytes each, read eventually consistent. */
const entriesInUnit = 54;

/** What a call costs where others pay, too; `answer` says how much was read. */
const chargesOf = (call: Call, answer: unknown): Charge[] => {
  const { port, method, args } = call;
  const [first] = args;
  switch (`${port}.${method}`) {
    case 'debounceRows.due': {
      const found = (answer as unknown[]).length;
      return [{ partition: `due ${first}`, read: Math.max(0.5, Math.ceil(found / entriesInUnit)) }];
    }
    case 'debounceRows.recordChange':
      return dueWrites((first as { uuid: string }).uuid, one);
    // A claim leaves the row at its place in the index.
    case 'debounceRows.complete':
      return dueWrites((first as { uuid: string }).uuid, one);
    case 'deliveryLog.move':
      return [{ partition: `byPartner ${(first as { clientId: string }).clientId}`, write: one }];
    case 'partners.byClientIds':
      return [
        { partition: 'Partners STAGE', read: one },
        ...(first as string[]).map((clientId) => ({ partition: `Partners ${clientId}`, read: one })),
      ];
    default:
      return [];
  }
};

const dueWrites = (uuid: string, write: number): Charge[] => [
  { partition: `due ${dueShardOf(uuid)}`, write },
];

/** Counts the units of each partition in each second; AWS lets one have 3,000 read and 1,000 write units. */
export const createPartitionMeter = () => {
  const peaks = { read: new Map<string, number>(), write: new Map<string, number>() };
  const now = { second: -1, read: new Map<string, number>(), write: new Map<string, number>() };

  const closeSecond = (second: number) => {
    for (const kind of ['read', 'write'] as const) {
      for (const [partition, units] of now[kind])
        peaks[kind].set(partition, Math.max(units, peaks[kind].get(partition) ?? 0));
      now[kind].clear();
    }
    now.second = second;
  };
  const add = (kind: 'read' | 'write', partition: string, units = 0) => {
    if (units > 0) now[kind].set(partition, units + (now[kind].get(partition) ?? 0));
  };
  const highest = (kind: 'read' | 'write'): Peak => {
    closeSecond(now.second);
    const [partition = 'none', unitsPerSecond = 0] =
      [...peaks[kind]].toSorted(([, some], [, other]) => other - some)[0] ?? [];
    return { partition, unitsPerSecond };
  };

  return {
    note: (nowMs: number, call: Call, answer: unknown) => {
      const second = Math.floor(nowMs / 1_000);
      if (second !== now.second) closeSecond(second);
      for (const { partition, read, write } of chargesOf(call, answer)) {
        add('read', partition, read);
        add('write', partition, write);
      }
    },
    highest,
  };
};
