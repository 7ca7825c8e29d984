import { openPlace } from '../events-units.ts';
import { bytesOfTables } from './item-bytes.ts';
import { type Measured, meanOf, noUnits, plus } from './measured.ts';

type OfEvents = Pick<Measured, 'recordChange' | 'event' | 'poll'> & { eventBytes: number };

const recipients = 5;

/** What the row of a change, an event for one and for five partners, and a poll that finds nothing cost. */
export const measureEvents = async (endpoint: string): Promise<OfEvents> => {
  const place = await openPlace(endpoint);
  await place.register(0, 'group-b');
  const poll = plus(noUnits(), await place.poll());
  const one = await place.tell(1, 'group-b');
  const before = await bytesOfTables(place.documents, ['Debounce']);
  for (let known = 1; known < recipients; known += 1) await place.register(known, 'group-b');
  const all = await place.tell(2, 'group-b');
  const bytes = (await bytesOfTables(place.documents, ['Debounce'])) - before;
  const first = plus(noUnits(), one.sent);
  return {
    ...{ recordChange: plus(noUnits(), one.recorded), poll },
    event: { first, further: meanOf(plus(plus(noUnits(), all.sent), first, -1), recipients - 1) },
    eventBytes: Math.round(bytes / recipients),
  };
};
