import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import { aCrowdedStage, afterCalls } from '../../../../support/memory/crowded-stage.ts';
import { oneByOne } from '../../../../support/memory/publishing.ts';

type Stage = Awaited<ReturnType<typeof aCrowdedStage>>;
type DebounceRows = Stage['debounceRows'];
type PartnersOf = Stage['deps']['partners']['ofOwners'];

/** A stage whose claims are listed: how many each request has, and `alone` for one by itself. */
const aStage = async (transactions: number) => {
  const stage = await aCrowdedStage({ transactions, partners: 1 });
  const asked: (number | 'alone')[] = [];
  const flush = (
    parts: Partial<Pick<DebounceRows, 'claim' | 'claimTogether'>> = {},
    before = async () => {},
  ) => {
    const { claim, claimTogether } = { ...stage.debounceRows, ...parts };
    const debounceRows: DebounceRows = {
      ...stage.debounceRows,
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
    return stage.flush({ debounceRows });
  };
  return { ...stage, asked, flush, flushWith: stage.flush };
};

const first = uuidOf(1);
const broken = () => {
  throw new Error('broken');
};

/** Another sender always claims the first row earlier. */
const fasterWithFirst = (stage: Pick<Stage, 'debounceRows' | 'clock'>) => async () => {
  const key = { uuid: first, kind: 'NOTIFY' } as const;
  const row = await stage.debounceRows.get(key);
  if (row?.revision === 0)
    await stage.debounceRows.reschedule(key, row, stage.clock.now().getTime() + 60_000);
};

test('EV-25 rows that are due together are claimed together, twenty events in a request', async () => {
  const stage = await aStage(45);

  const { claimed } = await stage.flush();

  expect(claimed).toBe(45);
  expect(stage.asked).toEqual([20, 20, 5]);
  expect(stage.bus.taken).toHaveLength(45);
});

test('EV-25 I4 a row that another step changed does not stop the other claims of its request, and is not sent', async () => {
  const stage = await aStage(10);

  const { claimed, failed } = await stage.flush({}, fasterWithFirst(stage));

  expect(stage.asked).toEqual([10, 9]);
  expect([claimed, failed]).toEqual([9, 0]);
  expect(await stage.completed()).toEqual(stage.uuids.slice(1));
  expect(stage.bus.taken.filter(({ message }) => message.includes(first))).toEqual([]);
});

test('EV-25 claims that fail again are claimed one by one', async () => {
  const stage = await aStage(4);
  let requests = 0;

  await stage.flush({
    claimTogether: async (wanted) => {
      requests += 1;
      return wanted.map((_, index) =>
        index < requests % 2 ? 'lost' : index === 0 ? 'failed' : 'not-at-fault',
      );
    },
  });

  // The first is lost; of the other three one is claimed alone, and then the two that are left.
  expect(stage.asked).toEqual([4, 3, 'alone', 'alone', 'alone']);
  expect(await stage.completed()).toEqual(stage.uuids.slice(1));
});

test('EV-17 after a request that fails without naming a row, each row is claimed by itself', async () => {
  const stage = await aStage(3);

  await stage.flush({ claimTogether: async (wanted) => wanted.map(() => 'not-at-fault') });

  expect(stage.asked).toEqual([3, 'alone', 'alone', 'alone']);
  expect(await stage.completed()).toEqual(stage.uuids);
});

test('EV-17 a row for which every request fails does not stop the claims of the others in its request', async () => {
  const stage = await aStage(10);
  const isBroken = ({ key }: Claim) => key.uuid === first;

  const { claimed, failed } = await stage.flush({
    claim: async (wanted) => (isBroken(wanted) ? broken() : stage.debounceRows.claim(wanted)),
    claimTogether: async (wanted) =>
      wanted.some(isBroken) ? broken() : stage.debounceRows.claimTogether(wanted),
  });

  expect([claimed, failed]).toEqual([9, 2]);
  expect(await stage.completed()).toEqual(stage.uuids.slice(1));
});

test('EV-17 a row whose event cannot be created does not stop the claims of the others', async () => {
  const stage = await aStage(3);
  let isLoaded = false;
  afterCalls(stage.deps.partners, 'ofOwners', () => {
    isLoaded = true;
  });
  const transactions = oneByOne(async (uuid) => {
    const stored = await stage.transactions.byUuid(uuid);
    return uuid === first && stored
      ? Object.defineProperty({ ...stored }, 'updatedAtMs', { get: () => (isLoaded ? broken() : 0) })
      : stored;
  });

  const { failed } = await stage.flushWith({ transactions });

  expect(failed).toBe(1);
  expect(await stage.completed()).toEqual(stage.uuids.slice(1));
});

test('EV-25 an event that could not be sent in time is not claimed, and left to the next invocation', async () => {
  const stage = await aStage(4);
  const slow: DebounceRows['claimTogether'] = async (wanted) => {
    stage.clock.pass({ seconds: 9 });
    return wanted.map(() => 'not-at-fault');
  };

  const { claimed, failed } = await stage.flush({ claimTogether: slow });

  expect([claimed, failed]).toEqual([0, 0]);
  expect(stage.asked).toEqual([4]);
  expect(await stage.inFlight()).toEqual([]);
});

describe('EV-15 three transactions for a hundred partners each, of which the third waits for room', () => {
  /** A flush whose requests to the bus take two seconds for twenty, and whose second reading of the partners is `then`. */
  const flushed = async (then: PartnersOf) => {
    const stage = await aCrowdedStage({ transactions: 3, partners: 100 });
    afterCalls(stage.bus, 'put', () => stage.clock.pass({ ms: 100 }));
    const readings: PartnersOf[] = [stage.deps.partners.ofOwners, then];
    stage.deps.partners.ofOwners = (owners) => readings.shift()?.(owners) ?? broken();
    return { ...stage, ...(await stage.flush({}, 60_000)) };
  };

  test('EV-15 its partners are read again', async () => {
    const stage = await flushed(
      async () => (await aCrowdedStage({ transactions: 0, partners: 99 })).partners,
    );

    expect(stage.bus.taken).toHaveLength(299);
  });

  test('EV-17 a failed read leaves it to the next invocation, and the others are sent', async () => {
    const stage = await flushed(async () => broken());

    expect([stage.claimed, stage.failed]).toEqual([2, 1]);
    expect(await stage.completed()).toEqual(stage.uuids.slice(0, 2));
  });
});

test('I7 an unconfirmed claim is not sent before its leases end, and then once', async () => {
  const stage = await aStage(3);
  const silent: DebounceRows['claimTogether'] = async (wanted) => {
    await stage.debounceRows.claimTogether(wanted);
    throw new Error('no answer');
  };

  const { claimed, failed } = await stage.flush({ claimTogether: silent });
  const asked = [...stage.asked];
  await stage.flush();

  expect([claimed, failed]).toEqual([0, 1]);
  expect(asked).toEqual([3, 'alone', 'alone', 'alone']);
  expect(stage.bus.taken).toEqual([]);

  stage.clock.pass({ seconds: 21 });
  await stage.flush();

  expect(stage.bus.taken).toHaveLength(3);
  expect(await stage.completed()).toEqual(stage.uuids);
});

test('EV-25 a debounce row and a marker of one transaction are claimed in two requests, because one request may name it once', async () => {
  const stage = await aStage(2);
  const dueAtMs = stage.clock.now().getTime();
  stage.debounceRows.leave({
    uuid: first,
    kind: 'COMPLETED',
    revision: 0,
    changeCount: 0,
    dueAtMs,
    version: 1,
  });

  const { claimed } = await stage.flush();

  expect(claimed).toBe(3);
  expect(stage.asked.toSorted()).toEqual([2, 'alone']);
});
