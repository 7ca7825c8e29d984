import assert from 'node:assert/strict';
import { at, json, text } from '../../journeys/answers.ts';
import { programOf } from '../../journeys/clients.ts';
import type { EventWorld } from '../../journeys/events.ts';
import { owner } from '../../journeys/imported-transactions.ts';
import type { World } from '../../journeys/world.ts';
import type { Invoke } from '../functions.ts';
import { agedMs, type EventPlace } from './event-place.ts';

type Parts = {
  place: EventPlace;
  invoke: Invoke;
  world: World;
  /** Open transactions, one a case. */
  uuids: string[];
};

/** An event as the bus has it, and when a check took it from the bus. */
type Heard = { event: unknown; receivedAtMs: number };

/** What the event journey asks for, at the deployed bus: a queue hears every event instead of an endpoint. */
export const eventWorldOf = async ({ place, invoke, world, uuids }: Parts) => {
  const { write } = programOf(world);
  const nextEvent = await place.listen();
  const heard: Heard[] = [];
  await place.giveWebhook(world.partner.clientId);

  const heardOf = async (uuid: string, count: number): Promise<Heard[]> => {
    const found = heard.filter(({ event }) => at(event, 'detail', 'message', 'detail', 'uuid') === uuid);
    if (found.length >= count) return found;
    const event = await nextEvent();
    assert.ok(event, `${count} events of ${uuid} were expected, ${found.length} came`);
    heard.push({ event, receivedAtMs: Date.now() });
    return heardOf(uuid, count);
  };

  /** As if the last change were older than the rest, and a tick looked now. */
  const rest = async (uuid: string) => {
    await place.whenScheduled(uuid);
    await place.setChangedAt(uuid, Date.now() - agedMs);
    await invoke('publish-dormant', { Records: [] });
  };

  const aCase: EventWorld['aCase'] = async () => {
    const uuid = text(uuids.shift());
    const stored = json(await programOf(world).ask(`/api/v2/transaction/${uuid}?fields=ndMeta.location`));
    return {
      uuid,
      ndMeta: owner('harbour', text(at(stored, 'ndMeta', 'location'))),
      write: async (method, path, body) => json(await write(method, path, body)),
      whenNotified: async (count) => (await heardOf(uuid, count)).map(toNotified),
      rest: () => rest(uuid),
    };
  };
  return { source: 'svc.staging.online-payments', aCase, rest, heardOf };
};

const toNotified = ({ event, receivedAtMs }: Heard) => ({
  receivedAtMs,
  message: at(event, 'detail', 'message'),
  from: text(at(event, 'detail', 'delivery', 'from')),
  to: text(at(event, 'detail', 'delivery', 'to')),
});
