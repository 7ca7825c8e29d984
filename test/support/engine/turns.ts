import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as settle } from 'node:timers/promises';
import type { Random } from '../builders/random.ts';

/** Who sends next, of those whose request waits: an index into the writers that wait, given in ascending order. */
export type ChooseNext = (waiting: readonly number[]) => number;

type Waiting = { writer: number; go: () => void };

/**
 * Runs writers so that one request at a time is under way and the order is a choice, not chance: with the same choices the
 * same happens again. Every request to the store goes through `inTurn`.
 */
export const createTurns = () => {
  const writers = new AsyncLocalStorage<number>();
  let waiting: Waiting[] = [];
  let active = new Set<number>();
  let isRunning = false;
  let isSending = false;
  let wake = () => {};

  /** Waits until it is the current writer's turn, which ends when the answer is there; outside of `run` it always is. */
  const inTurn = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
    const writer = writers.getStore();
    if (!isRunning || writer === undefined) return send();
    await new Promise<void>((go) => {
      waiting.push({ writer, go });
      wake();
    });
    try {
      return await send();
    } finally {
      isSending = false;
      wake();
    }
  };

  const everyoneWaits = () =>
    !isSending && [...active].every((one) => waiting.some(({ writer }) => writer === one));

  const nextMove = async () => {
    while (!everyoneWaits()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // A writer may have several requests at once: let all of them arrive.
    await settle();
  };

  const run = async (tasks: readonly (() => Promise<void>)[], choose: ChooseNext) => {
    waiting = [];
    active = new Set(tasks.keys());
    isRunning = true;
    const all = tasks.map((task, writer) =>
      writers.run(writer, task).finally(() => {
        active.delete(writer);
        wake();
      }),
    );
    while (active.size > 0) {
      await nextMove();
      if (active.size === 0) break;
      const ready = [...new Set(waiting.map(({ writer }) => writer))].sort((a, b) => a - b);
      const chosen = ready[choose(ready)];
      const index = waiting.findIndex(({ writer }) => writer === chosen);
      const [next] = waiting.splice(index, 1);
      isSending = next !== undefined;
      next?.go();
    }
    isRunning = false;
    await Promise.all(all);
  };

  return { inTurn, run };
};

export type Turns = ReturnType<typeof createTurns>;

/** Orders to run one after the other; `advance` is false after the last one. */
export type Orders = { choose: ChooseNext; advance: () => boolean };

/** Random orders, as many as are wanted. */
export const sampledOrders = (wanted: number, random: Random): Orders => {
  let left = wanted;
  return {
    choose: (waiting) => random.integer(0, waiting.length - 1),
    advance: () => {
      left -= 1;
      return left > 0;
    },
  };
};

/** All orders: deepest choice first. */
export const createOrders = (): Orders => {
  let path: { chosen: number; of: number }[] = [];
  let depth = 0;
  return {
    choose: (waiting) => {
      path[depth] ??= { chosen: 0, of: waiting.length };
      const step = path[depth] as { chosen: number; of: number };
      depth += 1;
      return step.chosen;
    },
    advance: () => {
      path = path.slice(0, depth);
      depth = 0;
      while (path.length > 0) {
        const last = path.at(-1) as { chosen: number; of: number };
        if (last.chosen + 1 < last.of) {
          last.chosen += 1;
          return true;
        }
        path.pop();
      }
      return false;
    },
  };
};
