import { expect, test } from '@jest/globals';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import { aCrowdedStage } from '../../../../support/memory/crowded-stage.ts';

type Stage = Awaited<ReturnType<typeof aCrowdedStage>>;
type Cursors = Stage['cursors'];

/** A stage whose claims are listed: how many each request has, and `alone` for one by itself. */
const aStage = async (transactions: number) => {
  const stage = await aCrowdedStage({ transactions, partners: 1 });
  const asked: (number | 'alone')[] = [];
  const flush = (parts: Partial<Pick<Cursors, 'claim' | 'claimTogether'>> = {}, before = async () => {}) => {
    const { claim, claimTogether } = { ...stage.cursors, ...parts };
    const cursors: Cursors = {
      ...stage.cursors,
      claim: (wanted) => {
        asked.push('alone');
        return claim(wanted);
      },
      claimTogether: async (wanted) => {
        asked.push(wanted.length);
        await before();
        return claimTogether(wanted);
      },
    };
    return stage.flush({ cursors });
  };
  return { ...stage, asked, flush };
};

const first = uuidOf(1);

/** Another flusher is faster with the first row, as often as it is asked for it. */
const fasterWithFirst = (stage: Pick<Stage, 'cursors' | 'clock'>) => async () => {
  const key = { uuid: first, kind: 'NOTIFY' } as const;
  const row = await stage.cursors.get(key);
  if (row?.revision === 0) await stage.cursors.reschedule(key, row, stage.clock.now().getTime() + 60_000);
};

test('EV-25 what is due together is claimed together, twenty events in a request', async () => {
  const stage = await aStage(45);

  const { claimed } = await stage.flush();

  expect(claimed).toBe(45);
  expect(stage.asked).toEqual([20, 20, 5]);
  expect(stage.bus.taken).toHaveLength(45);
});

test('EV-25 I4 one row that another step took leaves the others of its request claimed, and is sent by nobody', async () => {
  const stage = await aStage(10);

  const { claimed, failed } = await stage.flush({}, fasterWithFirst(stage));

  expect(stage.asked).toEqual([10, 9]);
  expect([claimed, failed]).toEqual([9, 0]);
  expect(await stage.settled()).toEqual(stage.uuids.slice(1));
  expect(stage.bus.taken.filter(({ message }) => message.includes(first))).toEqual([]);
});

test('EV-25 what is lost again is claimed one by one', async () => {
  const stage = await aStage(4);
  let requests = 0;

  await stage.flush({
    claimTogether: async (wanted) => {
      requests += 1;
      return wanted.map((_, index) => (index < requests % 2 ? 'lost' : index === 0 ? 'alone' : 'open'));
    },
  });

  // The first is lost; of the other three one is claimed alone, and then the two that are left.
  expect(stage.asked).toEqual([4, 3, 'alone', 'alone', 'alone']);
  expect(await stage.settled()).toEqual(stage.uuids.slice(1));
});

test('EV-17 a request that is refused without telling for which of them makes each be claimed by itself', async () => {
  const stage = await aStage(3);

  await stage.flush({ claimTogether: async (wanted) => wanted.map(() => 'open') });

  expect(stage.asked).toEqual([3, 'alone', 'alone', 'alone']);
  expect(await stage.settled()).toEqual(stage.uuids);
});

test('I7 what was claimed without an answer is sent by nobody before its leases end, and then once', async () => {
  const stage = await aStage(3);
  const silent: Cursors['claimTogether'] = async (wanted) => {
    await stage.cursors.claimTogether(wanted);
    throw new Error('no answer');
  };

  const { claimed, failed } = await stage.flush({ claimTogether: silent });
  const asked = [...stage.asked];
  await stage.flush();

  expect([claimed, failed]).toEqual([0, 1]);
  expect(asked).toEqual([3]);
  expect(stage.bus.taken).toEqual([]);

  stage.clock.pass({ seconds: 21 });
  await stage.flush();

  expect(stage.bus.taken).toHaveLength(3);
  expect(await stage.settled()).toEqual(stage.uuids);
});

test('EV-25 a cursor and a marker of one transaction are claimed in two requests, for one takes it once', async () => {
  const stage = await aStage(2);
  const dueAtMs = stage.clock.now().getTime();
  stage.cursors.leave({ uuid: first, kind: 'COMPLETED', revision: 0, changeCount: 0, dueAtMs, version: 1 });

  const { claimed } = await stage.flush();

  expect(claimed).toBe(3);
  expect(stage.asked.toSorted()).toEqual([2, 'alone']);
});
