import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { Halted, Report } from '../../deploy/report.ts';
import { type Random, randomFrom, seedOfRun } from '../../support/builders/random.ts';
import { openIn, readStore, type StoreRecord } from '../../support/builders/store-record.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import { checks, figuresOf, takenOf } from './findings.ts';
import { type Loaded, planWrites, startLoad } from './load.ts';
import { crashPartners } from './partners.ts';
import { type CrashWorld, openWorld } from './world.ts';

/**
 * `npm run nightly -- events`: kill -9 of the embedded stage at random moments while transactions change and partners
 * are notified. Then compares the endpoints' own record with the store. A seed repeats the writes and the times of the
 * kills, as far as real processes can repeat anything.
 */
type Options = { seed: number; transactions: number; partners: number; writes: number; kills: number };

const perSecond = 40;
/** Longer than the rest and a tick, so that some kills meet writes and others meet the events that follow. */
const longestDelayMs = 4_000;
const quietWithinMs = 300_000;

const run = async (report: Report, { seed, ...options }: Options) => {
  const random = randomFrom(seed);
  const { transactions, writes } = options;
  report.announce(
    `Seed ${seed}: ${transactions} transactions, ${options.partners} partners, ${writes} writes`,
  );
  const uuids = Array.from({ length: transactions }, (_, index) => uuidOf(index));
  const plan = planWrites(random, uuids, writes);
  const partners = crashPartners(options.partners);
  const world = await report.need('the stage is up, with everything imported and registered', () =>
    openWorld({ partners, transactions, random }),
  );
  try {
    const { loaded, done } = startLoad(plan, { send: world.send, perSecond });
    await killAgainAndAgain(report, { world, loaded, random, writes, kills: options.kills });
    await done;
    await report.prove('no write was refused', async () => refuse(loaded.refused));
    report.announce(`${loaded.accepted} writes answered, ${loaded.unanswered} broken off`);
    const store = await untilQuiet(report, world);
    await proveAll(report, world, store);
  } finally {
    await world.stop();
  }
};

type Killing = { world: CrashWorld; loaded: Loaded; random: Random; kills: number; writes: number };

/** Kills after random numbers of writes, so that the machine's pace does not matter. */
const killAgainAndAgain = async (report: Report, { world, loaded, random, kills, writes }: Killing) => {
  const points = Array.from({ length: kills }, () => random.integer(1, writes)).toSorted((a, b) => a - b);
  for (const [index, point] of points.entries()) {
    while (loaded.sent < point) await pause(20);
    await pause(random.integer(0, longestDelayMs));
    await world.crash();
    report.announce(
      `kill -9 ${index + 1} of ${kills}: ${loaded.sent} of ${writes} writes sent, ${world.receiver.received.length} messages received`,
    );
  }
};

/**
 * Waits until every change is sent and every delivery has ended, up to a limit. A scan is no snapshot and may miss rows
 * that come while it runs, so two scans in a row have to be quiet.
 */
const untilQuiet = async (report: Report, world: CrashWorld): Promise<StoreRecord> => {
  const end = Date.now() + quietWithinMs;
  for (let wasQuiet = false; ; ) {
    await pause(3000);
    const store = await readStore(world.stage());
    const { pending, scheduled, underWay } = openIn(store);
    const isQuiet = pending.length + scheduled.length + underWay.length === 0;
    if ((isQuiet && wasQuiet) || Date.now() > end) return store;
    wasQuiet = isQuiet;
    report.announce(
      `${pending.length} changes pending, ${scheduled.length} rows scheduled, ${underWay.length} deliveries under way`,
    );
  }
};

const proveAll = async (report: Report, { receiver, partners }: CrashWorld, store: StoreRecord) => {
  const record = { store, partners, taken: takenOf(receiver.received, partners) };
  for (const [title, check] of checks) await report.prove(title, async () => refuse(check(record)));
  const { made, delivered, failed, withheld } = figuresOf(store);
  const copies = record.taken.length - new Set(record.taken.map(({ clientId, id }) => clientId + id)).size;
  report.announce(
    `${store.events.length} events, ${made} deliveries made = ${delivered} delivered + ${failed} failed + ${withheld} withheld; ${receiver.received.length} requests, ${copies} copies of what was taken before`,
  );
};

const shown = 5;

const refuse = (findings: readonly string[]) => {
  if (findings.length === 0) return;
  const more = findings.length > shown ? [`and ${findings.length - shown} more`] : [];
  throw new Error([...findings.slice(0, shown), ...more].join('\n'));
};

const program = new Command('nightly -- events')
  .description(
    'Kills the embedded stage again and again under load, and compares what endpoints received with the store.',
  )
  .option('--seed <number>', 'what to do, and when to kill')
  .option('--transactions <number>', 'how many change', '1000')
  .option('--partners <number>', 'how many are notified; the last three fail, are slow and have gone', '20')
  .option('--writes <number>', 'how many changes', '3000')
  .option('--kills <number>', 'how many times', '10')
  .showHelpAfterError();

const readNumbers = (options: Record<string, string>): Options => {
  const numbers = Object.entries(options).map(([name, text]): [string, number] => {
    if (!/^\d{1,10}$/.test(text)) program.error(`--${name} takes a whole number, not "${text}"`);
    return [name, Number(text)];
  });
  return { seed: seedOfRun('kills of a stage'), ...Object.fromEntries(numbers) } as Options;
};

const report = new Report();
try {
  await run(report, readNumbers(program.parse().opts()));
} catch (fault) {
  if (!(fault instanceof Halted)) report.abandon(String(fault));
}
process.exit(report.close() ? 0 : 1);
