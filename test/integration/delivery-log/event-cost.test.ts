import { expect, test } from '@jest/globals';
import { create, flush, openPlace, partnerOf, recordChange } from '../../bench/events-units.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const minute = 60_000;

test('I16 an event with its claim, delivery log and completion costs 11 write units for one partner, 19 for five, 51 for twenty', async () => {
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

  expect(units).toEqual([11, 19, 51]);
});

test('EV-25 I16 ten events that are claimed together cost 11 write units each', async () => {
  const place = await openPlace(engine.endpoint);
  await place.partners.create(
    { partner: { ...partnerOf(30), grants: [{ group: 'group-c' }] }, secrets: [] },
    's',
  );
  const before = await place.measure(() => flush(place));
  for (let number = 0; number < 10; number += 1) {
    const stored = await create(place, 100 + number, 'group-c');
    await recordChange(place, stored.transaction.uuid);
  }
  place.time.nowMs += 10 * minute;

  expect([before.write, (await place.measure(() => flush(place))).write]).toEqual([0, 110]);
});
