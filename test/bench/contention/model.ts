import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { withRetries } from '../../../functions/shared/store/dynamodb/retry.ts';
import { listingChange } from '../../../functions/shared/store/listing/change.ts';
import { keyText } from '../../../functions/shared/store/listing/keys.ts';
import type { ListingSettings } from '../../../functions/shared/store/listing/settings.ts';
import { createKernel, type Kernel } from '../../simulation/kernel/kernel.ts';
import { type Random, randomFrom } from '../../support/builders/random.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { createModelTable, type ModelTable } from './table.ts';

/** What a write does, and to whom. */
export type Act = 'create' | 'complete' | 'delete' | 'move';

/** A writer in the group at a rate. Each act is as frequent as it is named. */
export type Writer = {
  name: string;
  perSecond: number;
  acts: readonly Act[];
  /** The part of the group's franchises and locations. Defaults to all. */
  location?: number;
  /** All of a minute's writes in its first second. */
  inBursts?: boolean;
};

/** How a writer fared: writes, those taken after the retries, and those taken at the first try. */
export type Fate = { writes: number; taken: number; atOnce: number };

export type Contention = {
  settings: ListingSettings;
  writers: readonly Writer[];
  seconds: number;
  seed: number;
};

/** A group of ten franchises with ten locations each. */
const franchises = 10;
const locations = 10;

const ownerAt = (number: number): NdMeta =>
  anOwner({ franchise: `franchise-${Math.floor(number / locations)}`, location: `location-${number}` });

type World = {
  kernel: Kernel;
  random: Random;
  table: ModelTable;
  settings: ListingSettings;
  created: number;
};

/** Runs the writers side by side on a virtual clock, with the production code's keys, shards and retries. */
export const simulateContention = async ({
  settings,
  writers,
  seconds,
  seed,
}: Contention): Promise<Map<string, Fate>> => {
  const [kernel, random] = [createKernel(), randomFrom(seed)];
  const world: World = {
    kernel,
    random,
    table: createModelTable(kernel, random),
    settings,
    created: 1_000_000,
  };
  const fates = new Map<string, Fate>();
  const writes: Promise<void>[] = [];
  for (const writer of writers) {
    const fate = { writes: 0, taken: 0, atOnce: 0 };
    fates.set(writer.name, fate);
    for (const atMs of timesOf(writer, seconds, random))
      kernel.at(atMs, () => writes.push(write(world, writer, fate)));
  }
  // The last writes have a minute for their retries.
  await kernel.run((seconds + 60) * 1_000);
  await Promise.all(writes);
  return fates;
};

/** At random, as independent people come; or each minute's at once. */
const timesOf = ({ perSecond, inBursts }: Writer, seconds: number, random: Random): number[] =>
  Array.from({ length: Math.round(perSecond * seconds) }, () => {
    const atMs = random.next() * seconds * 1_000;
    return inBursts ? Math.floor(atMs / 60_000) * 60_000 + random.next() * 1_000 : atMs;
  });

const write = async (world: World, { acts, location }: Writer, fate: Fate) => {
  const { kernel, random, table } = world;
  const items = itemsOf(world, random.oneOf(acts), location ?? random.integer(0, franchises * locations - 1));
  let tries = 0;
  fate.writes += 1;
  const sleep = (delayMs: number) => new Promise<void>((resolve) => kernel.after(delayMs, resolve));
  const attempt = () => {
    tries += 1;
    return table.write(items);
  };
  try {
    await withRetries(attempt, { random: random.next, sleep });
    fate.taken += 1;
    if (tries === 1) fate.atOnce += 1;
  } catch {
    // Refused ten times: the caller gets 503.
  }
};

/** The items of the real write, by their keys. */
const itemsOf = (world: World, act: Act, location: number): string[] => {
  const { settings, random } = world;
  if (act === 'create') world.created += 1;
  const sequenceNumber = act === 'create' ? world.created : random.integer(1, world.created);
  const before = storedAt(sequenceNumber, { ndMeta: ownerAt(location) });
  const after = storedAt(sequenceNumber, { ndMeta: ownerAt(location), ...changes[act] });
  const change = listingChange(act === 'create' ? undefined : before, after, settings, random.next());
  const keys = [...change.puts, ...change.deletes, ...change.counters.map(({ key }) => key)];
  return [`t#${sequenceNumber}`, ...keys.map(keyText)];
};

const changes: Record<Act, Partial<Transaction>> = {
  create: {},
  complete: { status: 1 },
  delete: { isDeleted: 1 },
  // To another group, which touches the counters of all three rollups; the way back touches the same ones.
  move: { ndMeta: anOwner({ group: 'group-b' }) },
};

const storedAt = (sequenceNumber: number, values: Partial<Transaction>): StoredTransaction => ({
  ...aNewTransaction({ uuid: uuidOf(sequenceNumber), ...values }),
  sequenceNumber,
});
