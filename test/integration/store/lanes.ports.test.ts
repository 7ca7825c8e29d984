import { describe, expect, test } from '@jest/globals';
import type { LaneStore } from '../../../functions/shared/store/debounce/lane-store.ts';
import { createLaneStore } from '../../../functions/shared/store/debounce/lanes.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryLanes } from '../../support/memory/lanes.ts';

const engine = useEngine();
let sets = 0;

const engineLanes = async (): Promise<LaneStore> => {
  sets += 1;
  await addTables(engine.client, `-lanes-${sets}`, ['Debounce']);
  return createLaneStore({
    documents: documentsOf(clientOf(engine.endpoint)),
    debounceTable: `Debounce-lanes-${sets}`,
    clock: () => new Date(0),
  });
};

const fromMs = 1_000_000;
const untilMs = fromMs + 15_000;
const leaseOf = (holder: string, nowMs = fromMs) => ({ holder, nowMs, untilMs: nowMs + 15_000 });

describe.each([
  { name: 'stand-in in memory', newLanes: async () => createMemoryLanes() },
  { name: 'DynamoDB engine', newLanes: engineLanes },
])('$name', ({ newLanes }) => {
  test('EV-24 a lane that nobody ever took is free, and one run has it then', async () => {
    const lanes = await newLanes();

    expect(await lanes.held(fromMs)).toEqual(new Set());
    expect(await lanes.take(3, leaseOf('run-1'))).toBe(true);
    expect(await lanes.take(3, leaseOf('run-2', fromMs + 1))).toBe(false);

    expect(await lanes.held(fromMs + 1)).toEqual(new Set([3]));
  });

  test('EV-24 other lanes are others’ affair', async () => {
    const lanes = await newLanes();

    await lanes.take(1, leaseOf('run-1'));

    expect(await lanes.take(10, leaseOf('run-2'))).toBe(true);
    expect(await lanes.held(fromMs)).toEqual(new Set([1, 10]));
  });

  test('EV-24 a lease ends by itself, to the millisecond', async () => {
    const lanes = await newLanes();
    await lanes.take(0, leaseOf('run-1'));

    expect(await lanes.held(untilMs - 1)).toEqual(new Set([0]));
    expect(await lanes.take(0, leaseOf('run-2', untilMs - 1))).toBe(false);
    expect(await lanes.held(untilMs)).toEqual(new Set());
    expect(await lanes.take(0, leaseOf('run-2', untilMs))).toBe(true);
  });

  test('EV-24 who has a lane takes it once more, as after a lost answer', async () => {
    const lanes = await newLanes();
    await lanes.take(0, leaseOf('run-1'));

    expect(await lanes.take(0, leaseOf('run-1', fromMs + 5))).toBe(true);
  });

  test('EV-24 a lane that is given back is free at once', async () => {
    const lanes = await newLanes();
    await lanes.take(0, leaseOf('run-1'));

    await lanes.giveBack(0, 'run-1');

    expect(await lanes.held(fromMs)).toEqual(new Set());
    expect(await lanes.take(0, leaseOf('run-2'))).toBe(true);
  });

  test('EV-24 who comes late gives back nothing: another has the lane', async () => {
    const lanes = await newLanes();
    await lanes.take(0, leaseOf('run-1'));
    await lanes.take(0, leaseOf('run-2', untilMs));

    await lanes.giveBack(0, 'run-1');

    expect(await lanes.held(untilMs)).toEqual(new Set([0]));
  });
});
