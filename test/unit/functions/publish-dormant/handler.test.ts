import { describe, expect, test } from '@jest/globals';
import { createHandler, type Deps, lightLoad } from '../../../../functions/publish-dormant/handler.ts';
import type { Ticks } from '../../../../functions/publish-dormant/ticks.ts';
import type { PublishDeps } from '../../../../functions/shared/publish/publish-deps.ts';
import type { Due } from '../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { aBus, aPublishing, memoryStores, oneByOne } from '../../../support/memory/publishing.ts';

const context = (remainingMs = 15_000) => ({
  awsRequestId: 'one',
  getRemainingTimeInMillis: () => remainingMs,
});
const noTick = async () => {};
/** Ticks, of which none has come yet. */
const noTicks: Ticks = {
  ...{ areComing: () => false, recordPoll: () => {}, sendAhead: async () => {}, occasionOf: () => '' },
};
const aHandler = (parts: Omit<Deps, 'askForWorkers' | 'light'>) =>
  createHandler({ askForWorkers: async () => {}, light: lightLoad, ...parts });
const bySchedule = {};
const byTicks = { Records: [{ body: '-' }, { body: '-' }] };

/** A stage with this many dormant transactions, and an invocation of its publisher. */
const aStage = async ({
  changed = 0,
  parts = {},
}: {
  changed?: number;
  parts?: Partial<PublishDeps>;
} = {}) => {
  const clock = aClock();
  const { deliveryLog, debounceRows, transactions } = memoryStores(clock.now);
  const partner = aPartner({ webhookUrl: 'https://partner.example/' });
  const changedAtMs = clock.now().getTime();
  for (let number = 1; number <= changed; number += 1) {
    const uuid = uuidOf(number);
    await transactions.create(aNewTransaction({ uuid }, { updatedAtMs: changedAtMs }));
    await debounceRows.recordChange({ uuid, changed: ['own'], dueAtMs: changedAtMs + 120_000 });
  }
  clock.pass({ seconds: 125 });
  const story: string[] = [];
  const logged: unknown[] = [];
  const reported: Record<string, number>[] = [];
  const publishing = aPublishing({
    transactions,
    partners: {
      ofOwners: async () => [partner],
      byClientIds: async () => new Map([[partner.clientId, partner]]),
    },
    deliveryLog,
    debounceRows: {
      ...debounceRows,
      due: (...asked) => {
        if (story.at(-1) !== 'flush') story.push('flush');
        return debounceRows.due(...asked);
      },
    },
    clock: clock.now,
    log: (name, facts) => logged.push([name, facts]),
    ...parts,
  });
  return {
    publishing,
    story,
    logged,
    reported,
    clock,
    report: (figures: object) => reported.push({ ...figures }),
  };
};

describe('an invocation by the schedule', () => {
  test('I17 sends ticks ahead before it polls, so that a slow flush loses none', async () => {
    const { publishing, story, report } = await aStage();
    const ticks = { ...noTicks, sendAhead: async () => void story.push('ticks ahead') };

    await aHandler({ publishing, ticks, sendTick: noTick, report })(bySchedule, context());

    expect(story).toEqual(['ticks ahead', 'flush']);
  });

  test('EV-20 leaves polling to the ticks while they come', async () => {
    const { publishing, story, reported, report } = await aStage({ changed: 1 });
    const ticks = {
      ...noTicks,
      areComing: () => true,
      sendAhead: async () => void story.push('ticks ahead'),
    };

    await aHandler({ publishing, ticks, sendTick: noTick, report })(bySchedule, context());

    expect([story, reported]).toEqual([['ticks ahead'], []]);
  });

  test.each([[true], [false]])(
    'I17 that cannot send ticks (others come: %s) notifies partners, and then counts as failed',
    async (comes) => {
      const { publishing, reported, report } = await aStage({ changed: 1 });
      const sendAhead = () => Promise.reject(new Error('no queue'));
      const ticks = { ...noTicks, areComing: () => comes, sendAhead };

      const run = aHandler({ publishing, ticks, sendTick: noTick, report })(bySchedule, context());

      await expect(run).rejects.toThrow('no queue');
      expect(reported).toMatchObject([{ sent: 1 }]);
    },
  );
});

describe('an invocation by ticks', () => {
  test('flushes once for all of them, records its poll, and sends no ticks ahead', async () => {
    const { publishing, story, report, clock } = await aStage();
    const polls: number[] = [];
    const ticks = {
      ...noTicks,
      areComing: () => true,
      recordPoll: (atMs: number) => polls.push(atMs),
      sendAhead: async () => void story.push('ticks ahead'),
    };

    await aHandler({ publishing, ticks, sendTick: noTick, report })(byTicks, context());

    expect([story, polls]).toEqual([['flush'], [clock.now().getTime()]]);
  });

  test('flushes without a tick as well, when people or checks invoke the function', async () => {
    const { publishing, story, report } = await aStage();

    await aHandler({ publishing, ticks: noTicks, sendTick: noTick, report })({ Records: [] }, context());

    expect(story).toEqual(['flush']);
  });

  test('EV-20 records the time at which its poll began, however long it publishes', async () => {
    let sends = () => {};
    const bus = aBus(() => {
      sends();
      return { outcome: 'accepted', busEventId: 'b' };
    });
    const { publishing, report, clock } = await aStage({ changed: 1, parts: { bus } });
    const begunAtMs = clock.now().getTime();
    sends = () => clock.pass({ seconds: 5 });
    const polls: number[] = [];
    const ticks = { ...noTicks, recordPoll: (atMs: number) => polls.push(atMs) };

    await aHandler({ publishing, ticks, sendTick: noTick, report })(byTicks, context());

    expect(polls).toEqual([begunAtMs]);
  });

  test('EV-20 that cannot read the index has not polled', async () => {
    const { publishing, report } = await aStage();
    const down = { due: (): Promise<Due[]> => Promise.reject(new Error('no store')) };
    const broken = { ...publishing, debounceRows: { ...publishing.debounceRows, ...down } };
    const polls: number[] = [];
    const ticks = { ...noTicks, recordPoll: (atMs: number) => polls.push(atMs) };

    const run = aHandler({ publishing: broken, ticks, sendTick: noTick, report })(byTicks, context());

    await expect(run).rejects.toThrow('No part of the index');
    expect(polls).toEqual([]);
  });
});

describe('an invocation', () => {
  const nothingWrong = { unconfirmed: 0, failed: 0, parked: 0 };

  test('reports the age of the oldest row and what was sent; D-31 the log has the unwatched figures', async () => {
    const { publishing, reported, logged, report } = await aStage({ changed: 3 });

    await aHandler({ publishing, ticks: noTicks, sendTick: noTick, report })(byTicks, context());

    expect(reported).toEqual([{ oldestDueAgeMs: 5_000, sent: 3, updateDelayMs: 125_000, ...nothingWrong }]);
    expect(logged).toEqual([
      ['flushEnded', { polled: 3, claimed: 3, failed: 0, oldestDueAgeMs: 5_000, sent: 3, oversize: 0 }],
    ]);
  });

  test('reports zeros and logs nothing if nothing is due', async () => {
    const { publishing, reported, logged, report } = await aStage();

    await aHandler({ publishing, ticks: noTicks, sendTick: noTick, report })(byTicks, context());

    expect(reported).toEqual([{ oldestDueAgeMs: 0, sent: 0, ...nothingWrong }]);
    expect(logged).toEqual([]);
  });

  test('counts events that the bus refused finally as parked, not as sent', async () => {
    const bus = aBus(() => ({ outcome: 'refused', code: 'MalformedDetail' }));
    const { publishing, reported, logged, clock, report } = await aStage({ changed: 1, parts: { bus } });
    const handler = aHandler({ publishing, ticks: noTicks, sendTick: noTick, report });

    for (let tries = 0; tries < 5; tries += 1) {
      await handler(byTicks, context());
      clock.pass({ seconds: 21 });
    }

    expect(reported.map(({ parked, sent }) => [parked, sent])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
    expect(logged.at(-2)).toMatchObject(['deliveryParked', {}]);
  });

  test('counts events that the bus left unanswered at every try, because their age shows only the first lease', async () => {
    const bus = aBus(() => ({ outcome: 'unconfirmed' }));
    const { publishing, reported, clock, report } = await aStage({ changed: 1, parts: { bus } });
    const handler = aHandler({ publishing, ticks: noTicks, sendTick: noTick, report });

    for (let tries = 0; tries < 3; tries += 1) {
      await handler(byTicks, context());
      clock.pass({ seconds: 21 });
    }

    expect(reported.map(({ unconfirmed, oldestDueAgeMs }) => [unconfirmed, oldestDueAgeMs])).toEqual([
      [1, 5_000],
      [1, 26_000],
      [1, 1_000],
    ]);
  });

  test('counts rows that fail', async () => {
    const transactions = oneByOne(() => Promise.reject(new Error('no store')));
    const { publishing, reported, report } = await aStage({ changed: 2, parts: { transactions } });

    await aHandler({ publishing, ticks: noTicks, sendTick: noTick, report })(byTicks, context());

    expect(reported).toMatchObject([{ failed: 2, sent: 0 }]);
  });

  test('begins no group in its last nine seconds, so that it ends in time', async () => {
    const { publishing, reported, report } = await aStage({ changed: 1 });
    const handler = aHandler({ publishing, ticks: noTicks, sendTick: noTick, report });

    await handler(byTicks, context(9_000));
    await handler(byTicks, context(9_001));

    expect(reported.map(({ sent }) => sent)).toEqual([0, 1]);
  });

  test('that has no time for all rows requests another invocation at once, and only then', async () => {
    const { publishing, report } = await aStage({ changed: 1 });
    let ticks = 0;
    const sendTick = async () => {
      ticks += 1;
    };
    const handler = aHandler({ publishing, ticks: noTicks, sendTick, report });

    await handler(byTicks, context(9_000));
    expect(ticks).toBe(1);
    await handler(byTicks, context());
    await handler(byTicks, context(9_000));

    expect(ticks).toBe(1);
  });

  test('that cannot read the index fails, so that it is counted', async () => {
    const down = { due: (): Promise<Due[]> => Promise.reject(new Error('no store')) };
    const { publishing, report } = await aStage();
    const broken = { ...publishing, debounceRows: { ...publishing.debounceRows, ...down } };

    const run = aHandler({
      publishing: broken,
      ticks: noTicks,
      sendTick: noTick,
      report,
    })(byTicks, context());

    await expect(run).rejects.toThrow('No part of the index of due rows has answered');
  });
});
