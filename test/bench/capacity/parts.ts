import { shards } from '../../../functions/shared/events/table.ts';
import { changedShards } from '../../../functions/shared/store/transactions/changed-keys.ts';
import { configOf } from '../../../lib/config.ts';
import { modelled } from '../contention/modelled.ts';
import type { Measured } from '../cost/measured.ts';
import { checkout, milliseconds } from '../cost/workload.ts';
import { aws } from './aws.ts';
import { measuredFlush } from './measured-flush.ts';

/**
 * One second of a stage: saves and the recipients of each, creations, completions, and the shares of the largest group
 * and partner.
 */
export type Load = {
  changes: number;
  recipients: number;
  creations: number;
  completions: number;
  /** Parts of one, from 0 to 1. */
  largestGroup: number;
  largestPartner: number;
};

/** A part of the stage, how much it carries, and how much of it a second takes. */
export type Part = {
  name: string;
  /** What it counts, a second. */
  unit: string;
  carries: number;
  takes: (load: Load) => number;
  raise: string;
};

/** A changed key in an index is a deletion and a put ("Global secondary indexes" of DynamoDB's developer guide). */
const moved = 2;
/** A debounce row is put into the index of due rows, stays there while it is leased, and is removed. */
const dueUnits = 1 + 1;
/** A line of the log, in the partition of its partner. */
const lineUnits = 1;
const dueShards = shards.first.length;
/** For a stream record: its own processing time in an invocation, and the time of a request to the table, in ms (assumed). */
const captured = { ownMs: 0.5, wayMs: 8, startMs: 10, batch: 100 };

const capturedASecond =
  captured.batch / ((captured.startMs + captured.batch * captured.ownMs + captured.wayMs) / 1000);

const production = configOf('production');

/** What carries the changes, in the order in which they pass through. */
export const partsOf = ({ create, save, recordChange, event }: Measured): Part[] => {
  const eventWrites = ({ recipients }: Load) => event.first.write + (recipients - 1) * event.further.write;
  const debounceWrites = (load: Load) => load.changes * (recordChange.write + eventWrites(load));
  const deliveries = ({ changes, recipients }: Load) => changes * recipients;
  return [
    {
      name: 'v2-write: concurrent executions',
      unit: 'executions',
      carries: production.reservedConcurrency.v2Write ?? aws.lambdaConcurrentExecutions.limit,
      takes: ({ changes }) => (changes * milliseconds.write) / 1000,
      raise: '`reservedConcurrency` in `lib/config.ts`',
    },
    {
      name: 'API Gateway: throttle of a method',
      unit: 'requests',
      carries: production.throttle.rate,
      takes: ({ changes }) => changes,
      raise: '`throttle` in `lib/config.ts`',
    },
    {
      name: 'Transactions: the table',
      unit: 'write units',
      carries: aws.tableWritesASecond.limit,
      takes: ({ changes, creations }) => changes * save.write + creations * (create.write - create.index),
      raise:
        'raise it in Service Quotas; a new table carries 4,000 at first, and twice as much after each half hour of use',
    },
    {
      name: `Transactions: index of changes, ${changedShards} parts`,
      unit: 'write units',
      carries: changedShards * aws.partitionWritesASecond.limit,
      takes: ({ changes }) => changes * moved,
      raise: '`changedShards` in `functions/shared/store/transactions/changed-keys.ts`',
    },
    {
      name: 'Listing: the sequence, one item',
      unit: 'write units',
      carries: aws.partitionWritesASecond.limit,
      takes: ({ creations }) => creations,
      raise: 'reserve sequence numbers in blocks, as an import does',
    },
    {
      name: 'Listing: counters of the largest group',
      unit: 'writes',
      carries: modelled.groupCarries,
      takes: ({ creations, completions, largestGroup }) => (creations + completions) * largestGroup,
      raise:
        '`shards` in `functions/shared/store/listing/settings.ts` ([listing.md](listing.md)); each shard of a group carries 5 writes a second',
    },
    {
      name: 'capture-change: a shard of the stream',
      unit: 'changes',
      carries: capturedASecond,
      takes: ({ changes, creations }) => changes + creations,
      raise:
        'nothing to do: DynamoDB adds shards above 1,000 writes a second, and each shard has its own invocation',
    },
    {
      name: 'Debounce: the table',
      unit: 'write units',
      carries: aws.tableWritesASecond.limit,
      takes: debounceWrites,
      raise: 'raise it in Service Quotas',
    },
    {
      name: 'Debounce: a new table',
      unit: 'write units',
      carries: aws.newTableWritesASecond.limit,
      takes: debounceWrites,
      raise:
        'nothing to do: it doubles within half an hour of use; set a higher `WarmThroughput` to double it at once',
    },
    {
      name: `Debounce: index of due rows, ${dueShards} parts`,
      unit: 'write units',
      carries: dueShards * aws.partitionWritesASecond.limit,
      takes: ({ changes }) => changes * dueUnits,
      raise: '`shards` in `functions/shared/events/table.ts`; each poll queries all of them',
    },
    {
      name: 'Debounce: the log of the largest partner',
      unit: 'write units',
      carries: aws.partitionWritesASecond.limit,
      takes: (load) => load.changes * load.largestPartner * lineUnits,
      raise: 'add parts of a day to its key; the limit of the endpoint is reached long before',
    },
    {
      name: `publish-dormant: ${production.flushWorkers} workers`,
      unit: 'events',
      carries: measuredFlush.allWorkers,
      takes: ({ changes }) => changes,
      raise: '`flushWorkers` in `lib/config.ts`, up to 24, with `reservedConcurrency.publishDormant`',
    },
    {
      name: 'EventBridge: PutEvents, full requests',
      unit: 'requests',
      carries: aws.putEventsASecond.limit,
      takes: (load) => deliveries(load) / aws.entriesInPutEvents.limit,
      raise: 'raise it in Service Quotas: other regions have 10,000',
    },
    {
      name: 'EventBridge: the largest endpoint',
      unit: 'calls',
      carries: aws.destinationCallsASecond.limit,
      takes: ({ changes, largestPartner }) => changes * largestPartner,
      raise:
        'raise it in Service Quotas, and `InvocationRateLimitPerSecond`; until then EventBridge holds its deliveries, for 24 h',
    },
  ];
};

/**
 * The assumptions of the pages: one creation for eight changes, some of them paid, and a third of everything in one
 * group and for one partner.
 */
export const loadOf = (changes: number): Load => ({
  changes,
  recipients: checkout.recipients,
  creations: changes / 8,
  completions: (changes / 8) * (checkout.paidOfTen / 10),
  largestGroup: 1 / 3,
  largestPartner: 1 / 3,
});
