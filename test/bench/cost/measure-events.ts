import { allTurns } from '../../../functions/shared/publish/flush.ts';
import { create, flush, openPlace, type Place, partnerOf, recordChange } from '../events-units.ts';
import { bytesOfTables } from './item-bytes.ts';
import { type Measured, meanOf, noUnits, plus, type Units } from './measured.ts';

type OfEvents = Pick<Measured, 'recordChange' | 'event' | 'poll'> & { eventBytes: number };

const recipients = 5;
const minute = 60_000;

/** What the row of a change, an event for one and for five partners, and a poll that finds nothing cost. */
export const measureEvents = async (endpoint: string): Promise<OfEvents> => {
  const place = await openPlace(endpoint);
  await place.partners.create({ partner: partnerOf(0), secrets: [] }, 's');
  const poll = plus(noUnits(), await place.measure(() => flush(place)));
  const recorded = await measureChange(place, 1);
  const first = await measureFlush(place, poll);
  const before = await bytesOfTables(place.documents, ['Debounce']);
  for (let known = 1; known < recipients; known += 1)
    await place.partners.create({ partner: partnerOf(known), secrets: [] }, 's');
  await measureChange(place, 2);
  const all = await measureFlush(place, poll);
  const bytes = (await bytesOfTables(place.documents, ['Debounce'])) - before;
  return {
    ...{ recordChange: recorded, poll },
    event: { first, further: meanOf(plus(all, first, -1), recipients - 1) },
    eventBytes: Math.round(bytes / recipients),
  };
};

const measureChange = async (place: Place, number: number): Promise<Units> => {
  const stored = await create(place, number, 'group-b');
  return plus(noUnits(), await place.measure(() => recordChange(place, stored.transaction.uuid)));
};

/** A flush asks all parts of the index before the work, and those that had something after it: these count as looks. */
const measureFlush = async (place: Place, poll: Units): Promise<Units> => {
  place.time.nowMs += 10 * minute;
  const before = place.questions();
  const units = await place.measure(() => flush(place));
  return plus(units, poll, -(place.questions() - before) / allTurns.flat().length);
};
