import { aPartner } from '../support/builders/a-partner.ts';
import { createMeter } from '../support/engine/meter.ts';
import { create, flush, openPlace, type Place, partnerOf, recordChange } from './events-units.ts';
import { countUnits } from './units.ts';

/** The cost of an event for one recipient. Polls of the index of due rows count in `waves` only, those of the flush. */
export type EventCost = { registered: number; read: number; write: number; requests: number; waves: number };

const minute = 60_000;
const recipient = 0;
const tables = { listingTable: 'Listing' };

/** The cost of one event with this many registered partners, of which one may see its group (GRANT-4). */
export const measureAmong = async (endpoint: string, counts: readonly number[]): Promise<EventCost[]> => {
  const place = await openPlace(endpoint);
  const measure = countUnits(place.documents, tables, ({ IndexName }) => IndexName !== 'due');
  const meter = createMeter(place.documents, tables.listingTable);
  await place.partners.create({ partner: partnerOf(recipient), secrets: [] }, 's');
  const costs: EventCost[] = [];
  for (const registered of counts) {
    await registerOthers(place, costs.at(-1)?.registered ?? 1, registered);
    const stored = await create(place, registered, 'group-b');
    await recordChange(place, stored.transaction.uuid);
    place.time.nowMs += 10 * minute;
    const events = place.putEvents();
    let units = { read: 0, write: 0, requests: 0 };
    const { waves } = await meter(async () => {
      units = await measure(() => flush(place));
    });
    if (place.putEvents() !== events + 1) throw new Error('The recipient was not notified');
    const { read, write, requests } = units;
    costs.push({ registered, read, write, requests, waves });
  }
  return costs;
};

const registerOthers = async ({ partners }: Place, from: number, to: number): Promise<void> => {
  for (let number = from; number < to; number += 1) {
    const clientId = `OTHER${number}`.padEnd(26, 'X');
    const partner = aPartner({
      ...{ clientId, name: `other-${number}`, webhookUrl: 'https://other.example/webhooks' },
      grants: [{ group: `group-${number}` }],
    });
    await partners.create({ partner, secrets: [] }, 's');
  }
};
