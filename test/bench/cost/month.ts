import type { Measured } from './measured.ts';
import type { Usage } from './prices.ts';
import type { StageParts } from './stage-parts.ts';
import { bytes, checkout, milliseconds, month, monthsKept, partners } from './workload.ts';

/** What one month is computed from. */
export type MonthFacts = {
  measured: Measured;
  parts: StageParts;
  /** Polls of the index of due rows, a day. */
  pollsADay: number;
  /** Metrics of its own that an idle stage reports in every hour. */
  idleMetrics: number;
};

/** A line of the bill. */
export type Item =
  | 'requests'
  | 'functions'
  | 'tables: writes'
  | 'tables: reads'
  | 'tables: storage and recovery'
  | 'queues'
  | 'bus and deliveries'
  | 'logs and traces'
  | 'alarms, metrics, dashboard'
  | 'keys and secrets'
  | 'data to callers'
  | 'firewall';

const gigabyte = 2 ** 30;

/** The use of a month with this many new transactions, by item. */
export const monthOf = (facts: MonthFacts, transactions: number): Record<Item, Usage> => {
  const calls = callsOf(transactions);
  const runs = runsOf(facts, transactions);
  return {
    requests: { apiRequests: calls.all },
    functions: {
      lambdaRequests: calls.all + runs.all,
      lambdaGbSeconds: (calls.milliseconds + runs.milliseconds) / 1000,
    },
    'tables: writes': { writeUnits: writesOf(facts.measured, transactions) },
    'tables: reads': { readUnits: readsOf(facts, transactions) },
    'tables: storage and recovery': storageOf(facts.measured, transactions),
    queues: queuesOf(facts),
    'bus and deliveries': busOf(transactions),
    'logs and traces': logsOf(calls.all, runs.all),
    'alarms, metrics, dashboard': watchOf(facts, transactions),
    'keys and secrets': keysOf(facts.parts),
    'data to callers': { outboundGb: answersOf(transactions) / gigabyte },
    firewall: {
      firewalls: facts.parts.firewalls,
      firewallRules: facts.parts.firewallRules,
      firewallRequests: facts.parts.firewalls * calls.all,
    },
  };
};

const paid = checkout.paidOfTen / 10;
/** Each payment that completes is a write and an event of its own. */
const writesOfOne = checkout.saves + checkout.v2Writes + paid;
const eventsOfOne = checkout.rests + paid;
const tokensAMonth = partners * month.hours;

/** Requests to the APIs, and the milliseconds that their functions take for them. */
const callsOf = (transactions: number) => {
  const { v1Reads, v2Reads, v2Lists } = checkout;
  const ofOne = 1 + v1Reads + writesOfOne + v2Reads + v2Lists;
  const msOfOne =
    (1 + writesOfOne) * milliseconds.write +
    v1Reads * milliseconds.v1Read +
    v2Reads * milliseconds.v2Read +
    v2Lists * milliseconds.list;
  return {
    all: transactions * ofOne + tokensAMonth,
    milliseconds: transactions * msOfOne + tokensAMonth * milliseconds.token,
  };
};

/** A day's runs of rules: ticks each minute, reconciling every ten, a sweep every hour, an inspection a day. */
const runsBySchedule = 1_440 + 144 + 24 + 1;

/** Runs that no caller asks for: looks, changes of the stream, schedules. */
const runsOf = ({ pollsADay }: MonthFacts, transactions: number) => {
  const polls = pollsADay * month.days;
  const changes = transactions * (1 + writesOfOne);
  const scheduled = runsBySchedule * month.days;
  return {
    all: polls + changes + scheduled,
    milliseconds:
      polls * milliseconds.poll +
      changes * milliseconds.recordChange +
      transactions * eventsOfOne * milliseconds.event +
      scheduled * milliseconds.schedule,
  };
};

/** Events of a month, and their deliveries. */
const eventsOf = (transactions: number) => ({
  events: transactions * eventsOfOne,
  deliveries: transactions * eventsOfOne * checkout.recipients,
});

/** Writes of a transaction; those that change nothing further within two minutes cost a row's unit each. */
const writesOf = ({ create, save, recordChange, event }: Measured, transactions: number): number => {
  const ofEvents = eventsOfOne * (event.first.write + (checkout.recipients - 1) * event.further.write);
  const ofRows = checkout.rests * recordChange.write + (writesOfOne - checkout.rests);
  return transactions * (create.write + writesOfOne * save.write + ofRows + ofEvents);
};

const readsOf = ({ measured, pollsADay }: MonthFacts, transactions: number): number => {
  const { read, list, event, poll } = measured;
  const ofEvents = eventsOfOne * (event.first.read + (checkout.recipients - 1) * event.further.read);
  const records = checkout.v1Reads + writesOfOne + checkout.v2Reads;
  const ofOne = records * read.read + checkout.v2Lists * list.read + ofEvents;
  return transactions * ofOne + pollsADay * month.days * poll.read + tokensAMonth;
};

/** A year of transactions, and the lines of events of one month. */
const storageOf = ({ bytes: ofOne }: Measured, transactions: number): Usage => {
  const { deliveries } = eventsOf(transactions);
  const gb = (transactions * (monthsKept + 1) * ofOne.transaction + deliveries * ofOne.event) / gigabyte;
  return { tableGb: gb, recoveryGb: gb };
};

/**
 * Lambda asks a queue by five long polls at a time, each of 20 s ("Scaling and concurrency" of its guide for SQS); the
 * ticks of a minute are sent at once, and each is received and deleted.
 */
const queuesOf = ({ parts: { polledQueues, fifoQueues }, pollsADay }: MonthFacts): Usage => {
  const polls = 5 * 3 * month.minutes;
  const ticks = (2 * pollsADay + 1_440) * month.days;
  return { queueRequests: (polledQueues - fifoQueues) * polls + ticks, fifoRequests: fifoQueues * polls };
};

const busOf = (transactions: number): Usage => {
  const { deliveries } = eventsOf(transactions);
  return { busEvents: deliveries, deliveries };
};

/** X-Ray traces one request a second, and one in twenty of the others. */
const logsOf = (calls: number, runs: number): Usage => {
  const logGb = (calls * bytes.log + runs * bytes.pollLog) / gigabyte;
  const first = Math.min(calls, month.seconds);
  return { logGb, maskedGb: logGb, traces: first + (calls - first) / 20 };
};

/** A stage in use reports every metric. */
const watchOf = ({ parts, idleMetrics }: MonthFacts, transactions: number): Usage => ({
  alarmMetrics: parts.alarmMetrics,
  customMetrics: transactions > 0 ? parts.customMetrics : idleMetrics,
  dashboards: parts.dashboards,
});

/** A table asks its key every five minutes, and so does a queue for its sender and its reader. */
const keysOf = ({ keys, secrets, tables, polledQueues }: StageParts): Usage => ({
  keys,
  secrets,
  keyRequests: (tables + 2 * polledQueues) * 12 * month.hours,
});

const answersOf = (transactions: number): number => {
  const { v1Reads, v2Reads, v2Lists } = checkout;
  const answers = (1 + writesOfOne + v1Reads + v2Reads) * bytes.answer + v2Lists * bytes.list;
  return transactions * answers + eventsOf(transactions).deliveries * bytes.message;
};
