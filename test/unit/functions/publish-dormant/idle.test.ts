import { expect, test } from '@jest/globals';
import { idleTime } from '../../../support/memory/idle-time.ts';

test('EV-20 without changes there is one poll in ten seconds, by a tick that was sent once', async () => {
  const first = await idleTime(10);
  const both = await idleTime(20);

  // Six ticks a minute, of one request; the first minute sends those of three, and polls before any has come.
  expect(first).toEqual({
    scheduled: 10,
    byTicks: 54,
    polls: 55,
    questions: 55 * 17,
    ticks: 71,
    sendings: 11,
  });
  expect(both).toEqual({
    scheduled: 20,
    byTicks: 114,
    polls: 115,
    questions: 115 * 17,
    ticks: 131,
    sendings: 21,
  });
});

// The ticks of an hour are 360 instants; an invocation by the schedule polls as well where its container has heard no tick lately.
test.each([
  [2, 366],
  [10, 403],
])(
  'EV-20 %s containers that share invocations at random poll %s times an hour: the ticks of one time are one poll',
  async (containers, polls) => {
    expect((await idleTime(60, { containers })).polls).toBe(polls);
  },
);
