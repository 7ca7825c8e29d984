import { describe, expect, test } from '@jest/globals';
import { createHandler, lightLoad } from '../../../../functions/publish-dormant/handler.ts';
import type { BusAnswer } from '../../../../functions/shared/outbound/event-bus.ts';
import type { PublishDeps } from '../../../../functions/shared/publish/publish-deps.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import {
  aBus,
  aPublishing,
  directoryOf,
  invocationContext,
  memoryStores,
  oneByOne,
} from '../../../support/memory/publishing.ts';

const bySchedule = {};
const byTicks = { Records: [{ body: '-' }, { body: '-' }] };

type Stage = {
  /** Dormant transactions. */
  changed?: number;
  parts?: Partial<PublishDeps>;
  /** Other invocations have been started by ticks. */
  comes?: boolean;
  isQueueDown?: boolean;
};

/** A stage whose transactions are due since five seconds, and an invocation of its publisher. */
const aStage = async ({ changed = 0, parts = {}, comes = false, isQueueDown = false }: Stage = {}) => {
  const clock = aClock();
  const { deliveryLog, debounceRows, transactions } = memoryStores(clock.now);
  const changedAtMs = clock.now().getTime();
  for (let number = 1; number <= changed; number += 1) {
    const uuid = uuidOf(number);
    await transactions.create(aNewTransaction({ uuid }, { updatedAtMs: changedAtMs }));
    await debounceRows.recordChange({ uuid, changed: ['own'], dueAtMs: changedAtMs + 120_000 });
  }
  clock.pass({ seconds: 125 });
  const story: string[] = [];
  const polls: number[] = [];
  const logged: unknown[] = [];
  const reported: Record<string, number>[] = [];
  const { due } = debounceRows;
  debounceRows.due = (...asked) => {
    if (story.at(-1) !== 'flush') story.push('flush');
    return due(...asked);
  };
  const handler = createHandler({
    publishing: aPublishing({
      ...{ transactions, deliveryLog, debounceRows, clock: clock.now },
      partners: directoryOf([aPartner({ webhookUrl: 'https://partner.example/' })]),
      log: (name, facts) => logged.push([name, facts]),
      ...parts,
    }),
    ticks: {
      areComing: () => comes,
      recordPoll: (atMs) => polls.push(atMs),
      sendAhead: async () => {
        if (isQueueDown) throw new Error('no queue');
        story.push('ticks ahead');
      },
      occasionOf: () => '',
    },
    light: lightLoad,
    askForWorkers: async () => {},
    sendTick: async () => {
      story.push('tick now');
    },
    report: (figures) => reported.push({ ...figures } as Record<string, number>),
  });
  return { handler, debounceRows, clock, story, polls, logged, reported };
};

describe('an invocation by the schedule', () => {
  test('I17 sends ticks ahead before it polls, so that a slow flush loses none', async () => {
    const { handler, story } = await aStage();

    await handler(bySchedule, invocationContext());

    expect(story).toEqual(['ticks ahead', 'flush']);
  });

  test('EV-20 leaves polling to the ticks while they come', async () => {
    const { handler, story, reported } = await aStage({ changed: 1, comes: true });

    await handler(bySchedule, invocationContext());

    expect([story, reported]).toEqual([['ticks ahead'], []]);
  });

  test.each([[true], [false]])(
    'I17 that cannot send ticks (others come: %s) notifies partners, and then counts as failed',
    async (comes) => {
      const { handler, reported } = await aStage({ changed: 1, comes, isQueueDown: true });

      await expect(handler(bySchedule, invocationContext())).rejects.toThrow('no queue');

      expect(reported).toMatchObject([{ sent: 1 }]);
    },
  );
});

describe('an invocation by ticks', () => {
  test('EV-20 polls once for all of them at its beginning, however long it then publishes, and sends none ahead', async () => {
    let sends = () => {};
    const bus = aBus(() => {
      sends();
      return { outcome: 'accepted', busEventId: 'b' };
    });
    const { handler, story, polls, reported, clock } = await aStage({ changed: 1, parts: { bus } });
    const begunAtMs = clock.now().getTime();
    sends = () => clock.pass({ seconds: 5 });

    await handler(byTicks, invocationContext());

    expect([story, polls]).toEqual([['flush'], [begunAtMs]]);
    expect(reported).toHaveLength(1);
  });

  test('EV-20 polls also where there is none: as people and checks call the function', async () => {
    const { handler, story } = await aStage();

    await handler({ Records: [] }, invocationContext());

    expect(story).toEqual(['flush']);
  });

  test('EV-19 EV-20 that cannot see what is due fails, so that it is counted, and has not polled', async () => {
    const { handler, debounceRows, polls } = await aStage();
    debounceRows.due = () => Promise.reject(new Error('no store'));

    const run = handler(byTicks, invocationContext());

    await expect(run).rejects.toThrow('No part of the index of due rows has answered');
    expect(polls).toEqual([]);
  });
});

describe('an invocation', () => {
  const nothingWrong = { unconfirmed: 0, failed: 0, parked: 0 };

  test('S-70 reports how old the oldest was, and what was sent; D-31 the log has what nobody watches', async () => {
    const { handler, reported, logged } = await aStage({ changed: 3 });

    await handler(byTicks, invocationContext());

    expect(reported).toEqual([{ oldestDueAgeMs: 5_000, sent: 3, updateDelayMs: 125_000, ...nothingWrong }]);
    expect(logged).toEqual([
      ['flushEnded', { polled: 3, claimed: 3, failed: 0, oldestDueAgeMs: 5_000, sent: 3, oversize: 0 }],
    ]);
  });

  test('S-70 with nothing due reports zeros and logs nothing', async () => {
    const { handler, reported, logged } = await aStage();

    await handler(byTicks, invocationContext());

    expect(reported).toEqual([{ oldestDueAgeMs: 0, sent: 0, ...nothingWrong }]);
    expect(logged).toEqual([]);
  });

  test.each<[string, BusAnswer, { unconfirmed: number[]; parked: number[]; oldestDueAgeMs: number[] }]>([
    [
      'what the bus refused for good as parked, not as sent',
      { outcome: 'refused', code: 'MalformedDetail' },
      {
        unconfirmed: [0, 0, 0, 0, 0],
        parked: [0, 0, 0, 0, 1],
        oldestDueAgeMs: [5_000, 26_000, 1_000, 1_000, 1_000],
      },
    ],
    [
      'what the bus left unanswered at every try, since its age shows the first lease at most',
      { outcome: 'unconfirmed' },
      {
        unconfirmed: [1, 1, 1, 1, 1],
        parked: [0, 0, 0, 0, 0],
        oldestDueAgeMs: [5_000, 26_000, 1_000, 1_000, 1_000],
      },
    ],
  ])('EV-18 counts %s', async (_, answer, expected) => {
    const { handler, reported, clock } = await aStage({ changed: 1, parts: { bus: aBus(() => answer) } });

    for (let tries = 0; tries < 5; tries += 1) {
      await handler(byTicks, invocationContext());
      clock.pass({ seconds: 21 });
    }

    const each = (name: string) => reported.map((figures) => figures[name]);
    const [unconfirmed, parked, oldestDueAgeMs] = ['unconfirmed', 'parked', 'oldestDueAgeMs'].map(each);
    expect({ unconfirmed, parked, oldestDueAgeMs }).toEqual(expected);
    expect(each('sent')).toEqual([0, 0, 0, 0, 0]);
  });

  test('EV-17 counts rows that fail', async () => {
    const transactions = oneByOne(() => Promise.reject(new Error('no store')));
    const { handler, reported } = await aStage({ changed: 2, parts: { transactions } });

    await handler(byTicks, invocationContext());

    expect(reported).toMatchObject([{ failed: 2, sent: 0 }]);
  });

  test('EV-15 begins no group in its last nine seconds, and asks for another poll at once where something is left', async () => {
    const { handler, story, reported } = await aStage({ changed: 1 });

    for (const remainingMs of [9_000, 9_001, 9_000]) await handler(byTicks, invocationContext(remainingMs));

    expect(reported.map(({ sent }) => sent)).toEqual([0, 1, 0]);
    expect(story).toEqual(['flush', 'tick now', 'flush']);
  });
});
