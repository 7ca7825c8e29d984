import { expect, test } from '@jest/globals';
import { create, flush, openPlace, partnerOf, recordChange } from '../../bench/events-units.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const minute = 60_000;

test('I16 an event with its claim, ledger and settling costs 13 write units for one partner, 21 for five, 53 for twenty', async () => {
  const place = await openPlace(engine.endpoint);
  const units: number[] = [];
  let known = 0;
  for (const recipients of [1, 5, 20]) {
    for (; known < recipients; known += 1)
      await place.partners.create({ partner: partnerOf(known), secrets: [] }, 's');
    const stored = await create(place, recipients, 'group-b');
    await recordChange(place, stored.transaction.uuid);
    place.time.nowMs += 10 * minute;
    units.push((await place.measure(() => flush(place))).write);
  }

  expect(units).toEqual([13, 21, 53]);
});
