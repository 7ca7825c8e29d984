import { describe, expect, test } from '@jest/globals';
import { inspectInTurn } from '../../../../functions/reconcile/inspection-turn.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { createMemoryInspections } from '../../../support/memory/inspections.ts';

const idOf = (number: number) => `P${String(number).padStart(4, '0')}`;

/** A stage with so many partners; `broken` and `differing` may change between runs, as may `count`. */
const aStage = (count: number) => {
  const stage = { count, differing: new Set<string>(), broken: new Set<string>(), nowMs: 0, takesMs: 0 };
  const inspections = createMemoryInspections();
  const looked: string[] = [];
  const waits: number[] = [];
  const logged: unknown[] = [];
  const run = () => {
    looked.length = 0;
    return inspectInTurn({
      partners: {
        all: async () =>
          // In the order of names, which is another.
          Array.from({ length: stage.count }, (_, index) =>
            aPartner({ clientId: idOf(stage.count - index) }),
          ),
      },
      inspect: async ({ clientId }) => {
        looked.push(clientId);
        stage.nowMs += stage.takesMs;
        if (stage.broken.has(clientId)) throw new Error('no bus');
        return stage.differing.has(clientId) ? [{ code: 'RULE_MISSING' }] : [];
      },
      inspections,
      wait: async (ms) => void waits.push(ms),
      clock: () => new Date(stage.nowMs),
      log: (name, facts) => logged.push([name, facts]),
    });
  };
  return { stage, run, looked, waits, logged };
};

const runsEachMinutes = 10;

describe('endpoints are inspected in turn', () => {
  test.each([
    // Four questions a partner; a partner each 200 ms; each is looked at anew after so many minutes.
    [10, { questions: 40, seconds: 2, oldestMinutes: 10 }],
    [300, { questions: 800, seconds: 40, oldestMinutes: 20 }],
    [1_000, { questions: 800, seconds: 40, oldestMinutes: 50 }],
  ])('EV-21 of %s partners a run asks, lasts, and looks again after: %j', async (count, expected) => {
    const { run, looked, waits } = aStage(count);
    const lastRunOf = new Map<string, number>();
    let oldest = 0;
    let most = 0;

    for (let number = 1; number <= 30; number += 1) {
      await run();
      most = Math.max(most, looked.length);
      for (const clientId of looked) {
        oldest = Math.max(oldest, number - (lastRunOf.get(clientId) ?? number));
        lastRunOf.set(clientId, number);
      }
    }

    expect(lastRunOf.size).toBe(count);
    expect({
      questions: 4 * most,
      seconds: (most * (waits[0] ?? 0)) / 1000,
      oldestMinutes: oldest * runsEachMinutes,
    }).toEqual(expected);
  });

  test('EV-21 goes on where the run before has ended, and from the beginning after the end', async () => {
    const { run, looked } = aStage(450);

    const firsts = [];
    for (let number = 1; number <= 4; number += 1) {
      await run();
      firsts.push([looked[0], looked.length]);
    }

    expect(firsts).toEqual([
      ['P0001', 200],
      ['P0201', 200],
      ['P0401', 200],
      ['P0151', 200],
    ]);
  });

  test('EV-21 leaves nobody out when a partner is removed in between', async () => {
    const { stage, run, looked } = aStage(450);
    await run();
    await run();
    stage.count = 350;

    await run();

    expect([looked[0], looked.length]).toEqual(['P0001', 200]);
  });

  test('EV-21 those that differ are looked at in each run, counted until they are mended, and named each time', async () => {
    const { stage, run, looked, logged } = aStage(450);
    stage.differing.add('P0007');

    const first = await run();
    const second = await run();
    stage.differing.clear();
    const third = await run();

    expect([first, second, third]).toEqual([
      { partners: 200, differing: 1 },
      { partners: 200, differing: 1 },
      { partners: 200, differing: 0 },
    ]);
    expect(logged).toEqual([
      ['endpointDiffers', { clientId: 'P0007', reason: 'RULE_MISSING' }],
      ['endpointDiffers', { clientId: 'P0007', reason: 'RULE_MISSING' }],
    ]);
    expect(looked.at(-1)).toBe('P0007');
  });

  test('EV-21 where all differ, fifty of them are looked at again, and the others in their turn', async () => {
    const { stage, run, looked } = aStage(450);
    for (let number = 1; number <= 450; number += 1) stage.differing.add(idOf(number));

    const counts = [await run(), await run(), await run()];

    expect(counts.map(({ differing }) => differing)).toEqual([200, 350, 450]);
    expect([looked[0], looked[150], looked[199]]).toEqual(['P0351', 'P0001', 'P0050']);
  });

  test('EV-21 one that cannot be inspected is a fault of the run, and keeps no other from its turn', async () => {
    const { stage, run, looked } = aStage(450);
    stage.differing.add('P0100');
    await run();
    stage.broken.add('P0100');

    const second = await run();
    const secondLooked = [looked[0], looked.length];
    await run();

    expect(second).toEqual({ partners: 200, differing: 1, fault: new Error('no bus') });
    expect([secondLooked, looked[0]]).toEqual([['P0201', 200], 'P0400']);
  });

  test('EV-21 after three faults a run ends, and the next one goes on behind them', async () => {
    const { stage, run, looked } = aStage(450);
    for (const clientId of ['P0002', 'P0004', 'P0006']) stage.broken.add(clientId);

    const { partners } = await run();
    await run();

    expect([partners, looked[0]]).toEqual([6, 'P0007']);
  });

  test('EV-21 a run over a slow bus ends after two minutes, and the next one goes on behind it', async () => {
    const { stage, run, looked } = aStage(450);
    stage.takesMs = 3_000;

    const { partners } = await run();
    await run();

    expect([partners, looked[0]]).toEqual([40, 'P0041']);
  });
});
