import { expect, test } from '@jest/globals';
import { openPlace } from '../../bench/events-units.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

test('I16 GRANT-4 an event with its wake-up, its lines and its row costs 7 write units for one partner, 11 for five, 26 for twenty, however many there are', async () => {
  const place = await openPlace(engine.endpoint);
  const units: number[][] = [];
  let known = 0;
  for (const recipients of [1, 5, 20]) {
    for (; known < recipients; known += 1) await place.register(known, 'group-b');
    const { recorded, sent, events } = await place.tell(recipients, 'group-b');
    units.push([events, recorded.write + sent.write, sent.read]);
  }
  await place.register(100, 'group-c');
  for (let number = 101; number < 300; number += 1) await place.register(number, `group-${number}`);
  const { recorded, sent, events } = await place.tell(30, 'group-c');
  units.push([events, recorded.write + sent.write, sent.read]);

  expect(units).toEqual([
    [1, 7, 16],
    [5, 11, 28],
    [20, 26, 74],
    [1, 7, 16],
  ]);
});
