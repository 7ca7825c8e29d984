import { aPartner } from '../support/builders/a-partner.ts';
import { startEngine } from '../support/engine/engine.ts';
import { createMeter } from '../support/engine/meter.ts';
import { create, flush, openPlace, type Place, partnerOf, recordChange } from './events-units.ts';
import type { Print } from './print.ts';
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

/** The price of an event follows its recipients, not the partners that are registered. */
export const printRegistered = async (print: Print, { partners }: { partners: number }): Promise<void> => {
  const engine = await startEngine();
  try {
    const few = 10;
    const costs = await measureAmong(engine.endpoint, [few, partners]);
    const of = (name: keyof EventCost) => costs.map((cost) => cost[name]).join(' / ');
    const among = `${few} / ${partners.toLocaleString('en')} registered partners, 1 recipient`;
    print(
      ['an event', 'measured', 'goal'],
      [
        [`read units of an event, ${among}`, of('read'), 'equal'],
        ['its write units', of('write'), 'equal'],
        ['its requests', of('requests'), 'equal'],
        ['requests of its flush that wait for each other, polls among them', of('waves'), 'equal'],
      ],
    );
  } finally {
    await engine.stop();
  }
};
