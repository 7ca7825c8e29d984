import { setImmediate as settle } from 'node:timers/promises';

/** A process in a scenario; each of its calls is one step, whose place in the order is a choice. */
export type Task = { name: string; isDead: boolean };
type Pending = { task: Task; go: () => void };

/** How far an exploration goes. */
export type Bounds = {
  /** How often a task that could go on waits for another one. */
  preemptions: number;
  /** How many tasks die on the way. */
  deaths: number;
};

/** What may happen next: a task continues, or dies before its call or right after it. */
type Option = { pending: Pending; how: 'goes-on' | 'dies-before' | 'dies-after' };

/**
 * All orders of the calls of some tasks within bounds, one after the other, the deepest choice first; what a run chose is
 * known as its path, and repeats it.
 */
export const createExplorer = ({ preemptions, deaths }: Bounds) => {
  let onDeath: (name: string) => void = () => {};
  let path: { chosen: number; of: number }[] = [];
  let depth = 0;
  let waiting: Pending[] = [];
  let last: Task | undefined;
  let switches = 0;
  let died = 0;

  const choose = (options: readonly Option[]): Option => {
    path[depth] ??= { chosen: 0, of: options.length };
    const option = options[path[depth]?.chosen ?? 0];
    depth += 1;
    if (!option) throw new Error('The scenario does not repeat itself');
    return option;
  };

  /** The first call of each task that waits; the task that went last comes first, so that the plain order is the first one. */
  const optionsNow = (): Option[] => {
    const first = new Map<Task, Pending>();
    for (const pending of waiting) if (!first.has(pending.task)) first.set(pending.task, pending);
    const stays = last && first.get(last);
    const others = [...first.values()].filter((pending) => pending !== stays);
    const next = stays ? [stays, ...(switches < preemptions ? others : [])] : others;
    const dying = died < deaths && next[0] ? [next[0]] : [];
    return [
      ...next.map((pending): Option => ({ pending, how: 'goes-on' })),
      ...dying.flatMap((pending): Option[] => [
        { pending, how: 'dies-before' },
        { pending, how: 'dies-after' },
      ]),
    ];
  };

  const take = ({ pending, how }: Option) => {
    if (last && last !== pending.task && waiting.some(({ task }) => task === last)) switches += 1;
    last = pending.task;
    waiting = waiting.filter((one) => one !== pending);
    if (how !== 'goes-on') {
      died += 1;
      pending.task.isDead = true;
      onDeath(pending.task.name);
      waiting = waiting.filter(({ task }) => task !== pending.task);
    }
    if (how !== 'dies-before') pending.go();
  };

  return {
    /** One call of a task: carried out when it is chosen; a dead task never gets the answer. */
    step: <Answer>(task: Task, perform: () => Promise<Answer>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        if (task.isDead) return;
        const go = () =>
          void perform().then(
            (answer) => task.isDead || resolve(answer),
            (fault: unknown) => task.isDead || reject(fault),
          );
        waiting.push({ task, go });
      }),
    /** Runs the tasks that have begun until none waits any more; answers which died. */
    run: async (notifyDeath: (name: string) => void) => {
      onDeath = notifyDeath;
      [depth, waiting, last, switches, died] = [0, waiting, undefined, 0, 0];
      for (await settle(); waiting.length > 0; await settle()) take(choose(optionsNow()));
    },
    /** Goes on to the next order; false when all were seen. */
    advance: (): boolean => {
      path = path.slice(0, depth);
      for (let end = path.at(-1); end; end = path.at(-1)) {
        if (end.chosen + 1 < end.of) {
          end.chosen += 1;
          return true;
        }
        path.pop();
      }
      return false;
    },
    /** What this run chose, to be printed and repeated. */
    choices: () => path.slice(0, depth).map(({ chosen }) => chosen),
  };
};

export type Explorer = ReturnType<typeof createExplorer>;
