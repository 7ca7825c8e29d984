import type { Random } from '../../support/builders/random.ts';
import type { Kernel } from './kernel.ts';

/** What runs: the functions of the service, and the callers that make changes. */
export type ProcessKind =
  | 'capture-change'
  | 'publish-dormant'
  | 'reconcile'
  | 'collect-dead-letters'
  | 'keep-endpoints'
  | 'v2-write'
  | 'v1-transaction'
  | 'operator';

/** One run of a function, on a machine whose clock is its own. */
export type Process = {
  name: string;
  kind: ProcessKind;
  skewMs: number;
  startedAtMs: number;
  /** When its function's time is up. */
  endsAtMs: number;
  isDead: boolean;
  /** Nothing happens on its machine before. */
  frozenUntilMs: number;
};

/** One call of a port: the only places where a process waits, so all that can happen to it happens there. */
export type Call = { port: string; method: string; args: readonly unknown[] };

/** Faults of a process, or of one of its calls. */
export type Strike =
  | { strike: 'killed-before' | 'killed-after' }
  | { strike: 'paused-before' | 'paused-after'; forMs: number; isTimeoutLate: boolean }
  /** Not done, and the answer says so: throttled, or never arrived. */
  | { strike: 'not-done' }
  /** Done, but the answer never came. */
  | { strike: 'answer-lost' }
  /** Done, the answer lost, done again by the client; the second answer is the one that counts. */
  | { strike: 'done-twice' };

export type ChooseStrike = (process: Process, call: Call) => Strike | undefined;

export type ProcessesDeps = {
  kernel: Kernel;
  random: Random;
  /** How far the clock of the next machine is off. */
  chooseSkew: () => number;
  chooseStrike: ChooseStrike;
  onStrike: (process: Process, call: Call, strike: Strike) => void;
  /** Right after a call was carried out, at the same instant; called for every call but those that were not done. */
  onDone: (process: Process, call: Call, answer: unknown) => void;
  /** Time zero, for the clocks of the functions. */
  epochMs: number;
  /** The time of a call's transfer, and of its answer's. Random by default. */
  waitMs?: WaitMs;
};

export type WaitMs = (way: {
  process: Process;
  call: Call;
  leg: 'request' | 'answer';
  nowMs: number;
}) => number;

/** How a run ended, for its starter. */
export type Ending<Value> = { ok: true; value: Value } | { ok: false; reason: string };

/** How long until the platform notices the death of a process. */
const noticedAfterMs = 100;

/** Starts and ends processes, and carries out their calls in virtual time. */
export const createProcesses = (deps: ProcessesDeps) => {
  const { kernel, random, chooseSkew, chooseStrike, onStrike, onDone, epochMs, waitMs } = deps;
  let started = 0;
  const ends = new WeakMap<Process, (reason: string) => void>();

  const kill = (process: Process, reason: string) => {
    if (process.isDead) return;
    process.isDead = true;
    ends.get(process)?.(reason);
  };

  const freeze = (process: Process, forMs: number, isTimeoutLate: boolean) => {
    process.frozenUntilMs = Math.max(process.frozenUntilMs, kernel.nowMs() + forMs);
    if (isTimeoutLate) process.endsAtMs = Math.max(process.endsAtMs, process.frozenUntilMs + 10_000);
  };

  const watch = (process: Process) => {
    kernel.at(process.endsAtMs, () => {
      if (process.isDead) return;
      if (process.endsAtMs > kernel.nowMs()) watch(process);
      else kill(process, 'timed out');
    });
  };

  /** Runs `work` as a process of its own; `onEnd` is called once, also on its death. */
  const start = <Value>(
    { kind, timeoutMs }: { kind: ProcessKind; timeoutMs: number },
    work: (process: Process) => Promise<Value>,
    onEnd: (ending: Ending<Value>, process: Process) => void = () => {},
  ): Process => {
    started += 1;
    const nowMs = kernel.nowMs();
    const process: Process = {
      name: `${kind} ${started}`,
      kind,
      skewMs: chooseSkew(),
      startedAtMs: nowMs,
      endsAtMs: nowMs + timeoutMs,
      isDead: false,
      frozenUntilMs: 0,
    };
    let isEnded = false;
    const end = (ending: Ending<Value>) => {
      if (isEnded) return;
      isEnded = true;
      process.isDead = true;
      onEnd(ending, process);
    };
    ends.set(process, (reason) => kernel.after(noticedAfterMs, () => end({ ok: false, reason })));
    watch(process);
    work(process).then(
      (value) => end({ ok: true, value }),
      (fault: unknown) => end({ ok: false, reason: fault instanceof Error ? fault.message : String(fault) }),
    );
    return process;
  };

  const latency = () => {
    const kind = random.next();
    if (kind < 0.97) return random.integer(1, 12);
    return kind < 0.998 ? random.integer(12, 80) : random.integer(80, 250);
  };

  /** Waits until the machine runs again; never comes back when the process dies before. */
  const whenAwake = (process: Process, go: () => void) => {
    if (process.isDead) return;
    if (process.frozenUntilMs > kernel.nowMs())
      kernel.at(process.frozenUntilMs, () => whenAwake(process, go));
    else go();
  };

  /**
   * One call of a port: it leaves the machine, is carried out at one instant, and its answer arrives. A dead process
   * does not continue, but its sent calls are carried out.
   */
  const step = <Answer>(process: Process, call: Call, perform: () => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (process.isDead) return;
      const struck = chooseStrike(process, call);
      if (struck) onStrike(process, call, struck);
      const strike = struck?.strike;
      if (strike === 'killed-before') return kill(process, 'killed');
      if (strike === 'paused-before' && struck && 'forMs' in struck)
        freeze(process, struck.forMs, struck.isTimeoutLate);
      const onItsWay = (leg: 'request' | 'answer') =>
        waitMs?.({ process, call, leg, nowMs: kernel.nowMs() }) ?? latency();
      const answered = (settle: () => void, delayMs = onItsWay('answer')) =>
        kernel.after(delayMs, () => whenAwake(process, settle));
      const failed = (name: string) => answered(() => reject(faultOf(name)), random.integer(500, 5_000));

      const carryOut = async () => {
        if (strike === 'not-done') return failed('injected: not done');
        let answer = await perform();
        onDone(process, call, answer);
        if (strike === 'done-twice') {
          answer = await perform();
          onDone(process, call, answer);
        }
        if (strike === 'killed-after') kill(process, 'killed');
        if (strike === 'paused-after' && struck && 'forMs' in struck)
          freeze(process, struck.forMs, struck.isTimeoutLate);
        if (strike === 'answer-lost') return failed('injected: answer lost');
        return answered(() => resolve(answer));
      };
      whenAwake(process, () =>
        kernel.after(onItsWay('request'), () => {
          carryOut().catch((fault: unknown) => answered(() => reject(fault)));
        }),
      );
    });

  return {
    start,
    step,
    clockOf: (process: Process) => () => new Date(epochMs + kernel.nowMs() + process.skewMs),
    sleep: (process: Process, milliseconds: number) =>
      new Promise<void>((resolve) => {
        if (!process.isDead) kernel.after(Math.ceil(milliseconds), () => whenAwake(process, resolve));
      }),
    epochMs,
  };
};

export type Processes = ReturnType<typeof createProcesses>;

/** As the SDK's faults look: neither of ours nor a refusal. */
const faultOf = (message: string) => Object.assign(new Error(message), { name: 'TimeoutError' });
