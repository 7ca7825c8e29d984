import type { Random } from '../../support/builders/random.ts';
import type { Kernel } from './kernel.ts';
import type { Call, ChooseStrike, Process, Strike } from './process.ts';

/** No fault at all; one at a time, the next only when the effects of the last are over; or many at once. */
export const faultModes = ['none', 'one', 'many'] as const;
export type FaultMode = (typeof faultModes)[number];

/** What may go wrong beside the calls of processes; how often in a hundred chances where many things go wrong. */
const chances = {
  'tick-missed': 10,
  'tick-doubled': 5,
  'message-late': 5,
  'message-doubled': 5,
  'message-lost': 5,
  'record-doubled': 8,
  'record-late': 6,
  'records-shuffled': 10,
  'record-lost': 1,
  'record-poisoned': 0.5,
  'entry-refused': 4,
  'entry-doubled': 3,
  'index-late': 0.5,
  'clock-off': 50,
} as const;
export type Site = keyof typeof chances;
const sites = Object.keys(chances) as Site[];

/** Calls where a fault means something, each as likely as the other where one goes wrong at a time. */
const targets = Object.entries({
  table: 'read due recordChange save save save save saveWithin remove pay write backlogOf linesSince',
  transactions: 'byUuid byUuids replace',
  partners: 'ofOwners byClientIds',
  changes: 'changedBetween',
  bus: 'putEvents',
  queue: 'sendBatch',
  endpoints: 'read write',
  rules: 'PutTargets RemoveTargets CreateConnection DeleteRule',
}).flatMap(([port, methods]) => methods.split(' ').map((method) => ({ port, method })));

const kinds = [
  'killed-before',
  'killed-after',
  'paused-before',
  'paused-after',
  'not-done',
  'answer-lost',
  'done-twice',
] as const;

/**
 * DynamoDB knows a transaction by its token, and answers the second time as it did the first: its client does these once. The
 * real store recognises a save whose answer was lost (its tests show that); here only its caller does it twice.
 */
const doneOnce = ['replace'];
const isPossible = ({ method }: Pick<Call, 'method'>, kind: (typeof kinds)[number]) =>
  kind !== 'done-twice' || !doneOnce.includes(method);

type Planned = { fromMs: number; untilMs: number } & (
  | { site: Site }
  | { site: 'call'; target: Pick<Call, 'port' | 'method'>; kind: (typeof kinds)[number] }
);

export type FaultsDeps = {
  mode: FaultMode;
  kernel: Kernel;
  random: Random;
  /** No fault begins after. */
  untilMs: number;
  /** How wrong a clock is at most. */
  clockOffMs?: number;
  onHit: (site: Site) => void;
};

/** Effects of a fault are over after so long: a lease and two dormancies. A lost record waits for the reconciler. */
const restMs = { usual: 8 * 60_000, lost: 14 * 60_000 };
const plannedForMs = 3 * 60_000;

/** Decides what goes wrong, and when; the seed decides everything. */
export const createFaults = ({ mode, kernel, random, untilMs, clockOffMs = 2_000, onHit }: FaultsDeps) => {
  const plan = (fromMs: number): Planned => {
    const when = { fromMs, untilMs: fromMs + plannedForMs };
    if (random.isTrue(0.35)) return { ...when, site: random.oneOf(sites) };
    const target = random.oneOf(targets);
    const kind = random.oneOf(kinds.filter((one) => isPossible(target, one)));
    return { ...when, site: 'call', target, kind };
  };
  let planned = plan(random.integer(0, 5 * 60_000));

  const isOver = () => mode === 'none' || kernel.nowMs() >= untilMs;
  const current = (): Planned | undefined => {
    const nowMs = kernel.nowMs();
    if (nowMs > planned.untilMs) planned = plan(nowMs);
    return nowMs >= planned.fromMs ? planned : undefined;
  };
  const done = (isLost: boolean) => {
    planned = plan(kernel.nowMs() + (isLost ? restMs.lost : restMs.usual) + random.integer(0, 60_000));
  };

  /** Whether this goes wrong now. */
  const hits = (site: Site): boolean => {
    if (isOver()) return false;
    const isHit = mode === 'many' ? random.isTrue(chances[site] / 100) : current()?.site === site;
    if (!isHit) return false;
    done(site === 'record-lost' || site === 'record-poisoned');
    onHit(site);
    return true;
  };

  const chooseStrike: ChooseStrike = (process, call) => {
    if (isOver()) return undefined;
    return mode === 'many' ? strikeOfMany(process, call) : plannedStrike(process, call);
  };

  const strikeOfMany = (process: Process, call: Call): Strike | undefined => {
    const isLookingAround = call.method === 'due';
    if (!random.isTrue(isLookingAround ? 0.0005 : 0.02)) return undefined;
    return strikeOf(process, random.oneOf(kinds.filter((kind) => isPossible(call, kind))), call);
  };

  const plannedStrike = (process: Process, call: Call): Strike | undefined => {
    const now = current();
    if (now?.site !== 'call' || now.target.port !== call.port || now.target.method !== call.method)
      return undefined;
    done(false);
    return strikeOf(process, now.kind, call);
  };

  const strikeOf = (process: Process, kind: (typeof kinds)[number], call: Call): Strike => {
    if (kind !== 'paused-before' && kind !== 'paused-after') return { strike: kind };
    // Right before the request leaves nothing but the function's timeout can hold it back.
    const mayOutliveTimeout = process.kind === 'publish-dormant' && call.method !== 'putEvents';
    const isTimeoutLate = mayOutliveTimeout && random.isTrue(0.5);
    return { strike: kind, forMs: random.integer(1_000, 60_000), isTimeoutLate };
  };

  return {
    hits,
    chooseStrike,
    skewMs: () => (hits('clock-off') ? random.integer(-clockOffMs, clockOffMs) : 0),
    /** Some while, of what is late. */
    someMs: random.integer,
  };
};

export type Faults = ReturnType<typeof createFaults>;
