import type { SendMessageBatchCommand, SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { createNextTick, createTicks, type TickMemory } from '../../../../functions/publish-dormant/ticks.ts';
import { ticksAhead } from '../../../../functions/shared/domain/event/timing.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';

const aQueue = () => {
  const taken: SendMessageBatchRequestEntry[] = [];
  const queue = { isDown: false };
  const send = async ({ input: { Entries = [], QueueUrl } }: SendMessageBatchCommand) => {
    expect(QueueUrl).toBe('https://queue');
    if (queue.isDown) throw new Error('no queue');
    taken.push(...Entries);
    return {};
  };
  const delays = () => taken.map(({ DelaySeconds }) => DelaySeconds);
  return { queue, delays, client: { send } as unknown as Pick<SQSClient, 'send'> };
};

const seventeen = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170];

/** A container that polled last at this second, and has sent ticks until that one; its clock stands at 12:00:00. */
const aContainer = ({
  polledSeconds,
  sentUntilSeconds,
}: {
  polledSeconds?: number;
  sentUntilSeconds?: number;
} = {}) => {
  const clock = aClock('2026-03-01T12:00:00Z');
  const noon = clock.now().getTime();
  const memory: TickMemory = {
    ...(polledSeconds !== undefined && { polledAtMs: noon + polledSeconds * 1000 }),
    ...(sentUntilSeconds !== undefined && { sentUntilMs: noon + sentUntilSeconds * 1000 }),
  };
  const { queue, delays: sent, client } = aQueue();
  const ticks = createTicks({ client, queueUrl: 'https://queue', tickSeconds: 10, clock: clock.now, memory });
  return { ticks, queue, sent, clock };
};

describe('the ticks that an invocation sends ahead', () => {
  test('I17 are one message every ten seconds up to 170 s, if none were sent before', async () => {
    const { ticks, sent } = aContainer();

    await ticks.sendAhead();

    expect(sent()).toEqual(seventeen);
  });

  test.each([
    ['EV-20 are those of one minute, where the invocation before has sent the others', 60, 120],
    ['I17 are those of two minutes after a minute whose invocation was lost: no gap', 120, 60],
  ])('%s', async (_, seconds, first) => {
    const { ticks, sent, clock } = aContainer();

    await ticks.sendAhead();
    clock.pass({ seconds });
    ticks.recordPoll(clock.now().getTime());
    await ticks.sendAhead();

    expect(sent().slice(17)).toEqual(seventeen.filter((delay) => delay >= first));
  });

  test('fall on whole multiples of ten seconds, so that those of two containers coincide', async () => {
    const { ticks, sent, clock } = aContainer();
    clock.pass({ seconds: 3.4 });

    await ticks.sendAhead();

    // 12:00:10 is 6.6 s away.
    expect(sent()).toEqual([7, 17, 27, 37, 47, 57, 67, 77, 87, 97, 107, 117, 127, 137, 147, 157, 167]);
  });

  test('I17 are all of them again, if an invocation has not sent its own', async () => {
    const { ticks, queue, sent } = aContainer({ polledSeconds: -5, sentUntilSeconds: 110 });

    queue.isDown = true;
    await expect(ticks.sendAhead()).rejects.toThrow('no queue');
    queue.isDown = false;
    await ticks.sendAhead();

    expect(sent()).toEqual([120, 130, 140, 150, 160, 170]);
  });

  test('I17 are all of them, if sent ticks do not come: the queue may have been purged', async () => {
    const { ticks, sent } = aContainer({ polledSeconds: -20, sentUntilSeconds: 110 });

    await ticks.sendAhead();

    expect(sent()).toEqual(seventeen);
  });
});

test.each([
  [undefined, false],
  [0, true],
  [-10, true],
  // One tick was lost.
  [-19, true],
  [-20, false],
  // The clock was set back.
  [1, false],
])('EV-20 ticks arrive, if the last poll was at second %s: %s', (polledSeconds, comes) => {
  const { ticks } = aContainer(polledSeconds === undefined ? {} : { polledSeconds });

  expect(ticks.areComing()).toBe(comes);
});

test('EV-15 the next tick is one message without delay', async () => {
  const { delays, client } = aQueue();

  await createNextTick({ client, queueUrl: 'https://queue' })();

  expect(delays()).toEqual([0]);
});

test('EV-24 all polls of one tick have one deduplication id, and those of the next tick another', () => {
  const { ticks, clock } = aContainer();
  const atMs = clock.now().getTime();

  const occasions = [0, 9_999, 10_000].map((afterMs) => ticks.occasionOf(atMs + afterMs));

  expect(occasions).toEqual(['tick-177236640', 'tick-177236640', 'tick-177236641']);
});

test.each([
  [1, 170, 170],
  [10, 17, 170],
  [20, 8, 160],
  [7, 24, 168],
])('RUN-3 ticks every %s s are %s messages, the last after %s s', (tickSeconds, count, last) => {
  const { delays, untilMs } = ticksAhead(tickSeconds, 0);

  expect([delays.length, delays.at(-1), untilMs]).toEqual([count, last, last * 1000]);
});
