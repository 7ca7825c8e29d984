import { describe, expect, test } from '@jest/globals';
import { succeed } from '../../../functions/shared/domain/outcome.ts';
import { restWhenQuiet } from '../../../localstack/quiet-rest.ts';

/** A function that counts its rests, and the timers that wait for one. */
const aFunction = () => {
  const timers = new Map<() => void, number>();
  const ends: (() => void)[] = [];
  let rests = 0;
  const { invoke } = restWhenQuiet(
    {
      name: 'publish-dormant',
      logFile: 'publish-dormant.log',
      invoke: async (event) => {
        await new Promise<void>((resolve) => ends.push(resolve));
        return succeed(String(event));
      },
      rest: async () => {
        rests += 1;
      },
      stop: async () => {},
    },
    30_000,
    (work, ms) => {
      timers.set(work, ms);
      return () => timers.delete(work);
    },
  );
  const ring = () => {
    for (const work of timers.keys()) work();
  };
  return { invoke, ends, timers, ring, rests: () => rests };
};

describe('a function that nobody waits for', () => {
  test('answers as it does, and rests when it was quiet for a while', async () => {
    const { invoke, ends, timers, ring, rests } = aFunction();
    const answer = invoke('event', 'request');
    ends[0]?.();

    expect(await answer).toEqual({ ok: true, value: 'event' });
    expect([...timers.values()]).toEqual([30_000]);
    ring();
    expect(rests()).toBe(1);
  });

  test('does not rest while it is called again, nor twice for two calls at a time', async () => {
    const { invoke, ends, timers } = aFunction();
    const first = invoke(1, 'one');
    ends[0]?.();
    await first;

    const both = [invoke(2, 'two'), invoke(3, 'three')];
    const during = timers.size;
    ends[1]?.();
    ends[2]?.();
    await Promise.all(both);

    expect(during).toBe(0);
    expect(timers.size).toBe(1);
  });
});
