import type { DynamoDBRecord } from 'aws-lambda';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Random } from '../../support/builders/random.ts';
import type { Faults } from '../kernel/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Ending } from '../kernel/process.ts';

export type StreamDeps = {
  kernel: Kernel;
  random: Random;
  faults: Faults;
  /** Calls the function; answers the sequence numbers that failed, or that the whole run did. */
  call: (records: DynamoDBRecord[], onEnd: (ending: Ending<readonly string[]>) => void) => void;
  onLost: (uuid: string) => void;
  /** Each record then comes at any time within a minute, and any number of times, in any order (I15). */
  wild?: Random;
  isLost: boolean;
};

type Kept = { record: DynamoDBRecord; uuid: string; isPoison?: true };

/** As the event source of `capture-change` is set up (lib/constructs/events/change-capture.ts). */
const batchSize = 100;
const mostRetries = 5;
const shardCount = 2;

/**
 * The stream of the Transactions table and its event source: each item's records in order, at least once, from the first
 * failed one again, halved after a run that died, given up after five retries.
 */
export const createStream = ({ kernel, random, faults, call, onLost, wild, isLost }: StreamDeps) => {
  let sequence = 0;
  const shards = Array.from({ length: shardCount }, () => ({ kept: [] as Kept[], isBusy: false }));
  type Shard = (typeof shards)[number];

  const pollSoon = (shard: Shard, delayMs = random.integer(20, 270)) => {
    if (shard.isBusy) return;
    shard.isBusy = true;
    kernel.after(delayMs, () => {
      const batch = shard.kept.splice(0, batchSize);
      bring(faults.hits('records-shuffled') ? shuffled(batch, random) : batch, 0, () => {
        shard.isBusy = false;
        if (shard.kept.length > 0) pollSoon(shard);
      });
    });
  };

  /** Brings a batch until nothing of it is left; `then` is called once. */
  const bring = (batch: Kept[], retries: number, then: () => void) => {
    if (batch.length === 0) return then();
    if (retries > mostRetries) {
      for (const { uuid } of batch) onLost(uuid);
      return then();
    }
    call(
      batch.map(({ record }) => record),
      (ending) => {
        if (ending.ok) return bringFrom(batch, firstOf(batch, ending.value), retries, then);
        halve(batch, retries, then);
      },
    );
  };

  /** Continues with the lowest failed record. */
  const bringFrom = (batch: Kept[], from: number, retries: number, then: () => void) => {
    if (from === 0) halve(batch, retries, then);
    else kernel.after(250, () => bring(batch.slice(from), 0, then));
  };

  /** To halve is no retry; one record alone is tried again, then given up. */
  const halve = (batch: Kept[], retries: number, then: () => void) => {
    const middle = Math.ceil(batch.length / 2);
    kernel.after(250, () => {
      if (batch.length === 1) bring(batch, retries + 1, then);
      else bring(batch.slice(0, middle), retries, () => bring(batch.slice(middle), retries, then));
    });
  };

  const keep = (shard: Shard, kept: Kept, delayMs: number) => {
    if (delayMs === 0) shard.kept.push(kept);
    else
      kernel.after(delayMs, () => {
        shard.kept.push(kept);
        pollSoon(shard);
      });
    pollSoon(shard);
  };

  return {
    /** A change that the table took. */
    write: (before: StoredTransaction | undefined, after: StoredTransaction, nowMs: number) => {
      sequence += 1;
      const { uuid } = after.transaction;
      const shard = shards[hashOf(uuid) % shardCount] as Shard;
      const record = recordOf(before, after, { sequence, nowMs });
      for (let copies = wild?.integer(1, 3) ?? 0; wild && copies > 0; copies -= 1)
        keep(shard, { record, uuid }, wild.integer(1, 60_000));
      if (wild) return;
      if (faults.hits('record-poisoned')) {
        sequence += 1;
        keep(shard, { record: poisoned(sequence), uuid: '', isPoison: true }, 0);
      }
      if (isLost || faults.hits('record-lost')) return onLost(uuid);
      keep(shard, { record, uuid }, faults.hits('record-late') ? faults.someMs(1_000, 60_000) : 0);
      // A copy later than this would wake a row just before the end of the ten quiet minutes (I19).
      if (faults.hits('record-doubled')) keep(shard, { record, uuid }, faults.someMs(1, 540_000));
    },
  };
};

const firstOf = (batch: readonly Kept[], failed: readonly string[]) => {
  const indexes = failed.map((number) =>
    batch.findIndex(({ record }) => record.dynamodb?.SequenceNumber === number),
  );
  return failed.length === 0 ? batch.length : Math.min(...indexes);
};

/** Across items only: an item's own records stay in order. */
const shuffled = (batch: readonly Kept[], random: Random): Kept[] => {
  const places = batch.map((one) => ({ one, key: random.next() })).sort((a, b) => a.key - b.key);
  const ordered = new Map<string, Kept[]>();
  for (const one of batch) ordered.set(one.uuid, [...(ordered.get(one.uuid) ?? []), one]);
  return places.map(({ one }) => ordered.get(one.uuid)?.shift() ?? one);
};

/** A record that no function can read: without a key. */
const poisoned = (sequence: number): DynamoDBRecord => ({
  eventID: `event-${sequence}`,
  eventName: 'MODIFY',
  dynamodb: { SequenceNumber: String(sequence), NewImage: {} },
});

/** Of the images what the function reads; the rest of them it never looks at. */
const recordOf = (
  before: StoredTransaction | undefined,
  after: StoredTransaction,
  { sequence, nowMs }: { sequence: number; nowMs: number },
): DynamoDBRecord => ({
  eventID: `event-${sequence}`,
  eventName: before ? 'MODIFY' : 'INSERT',
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(nowMs / 1000),
    Keys: { uuid: { S: after.transaction.uuid } },
    SequenceNumber: String(sequence),
    NewImage: imageOf(after),
    ...(before && { OldImage: imageOf(before) }),
  },
});

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

const imageOf = ({ version, notifyFromVersion, updatedAtMs, elementVersions }: StoredTransaction): Image => ({
  version: { N: String(version) },
  notifyFromVersion: { N: String(notifyFromVersion) },
  updatedAtMs: { N: String(updatedAtMs) },
  elementVersions: {
    M: Object.fromEntries(Object.entries(elementVersions).map(([name, at]) => [name, { N: String(at) }])),
  },
});

const hashOf = (text: string) => {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash;
};
