import { expect, test } from '@jest/globals';
import { create, flush, openPlace, partnerOf, recordChange } from '../../bench/events-units.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

test('GRANT-4 an event for one recipient costs the same among 10 registered partners and among 1,000', async () => {
  const place = await openPlace(engine.endpoint);
  const register = (number: number, group: string) =>
    place.partners.create({ partner: { ...partnerOf(number), grants: [{ group }] }, secrets: [] }, 's');
  const costOfEvent = async (number: number) => {
    const stored = await create(place, number, 'group-b');
    await recordChange(place, stored.transaction.uuid);
    place.time.nowMs += 600_000;
    return place.measure(() => flush(place));
  };
  await register(0, 'group-b');
  for (let number = 1; number < 10; number += 1) await register(number, `group-${number}`);
  const few = await costOfEvent(1);
  for (let number = 10; number < 1_000; number += 1) await register(number, `group-${number}`);

  expect(await costOfEvent(2)).toEqual(few);
  // 8 are the four grants of its owner, read as of one instant, and 9 the questions for what is due.
  expect(few).toMatchObject({ write: 11, read: 23 });
}, 120_000);
