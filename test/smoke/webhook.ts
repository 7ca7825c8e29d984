import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { at, json, text } from '../journeys/answers.ts';
import { aBuyer, programOf } from '../journeys/clients.ts';
import type { Journey, World } from '../journeys/world.ts';
import type { Guest } from './guest.ts';

type Receiver = {
  guest: Guest;
  /** Where its webhooks arrive. */
  url: string;
  /** Says what a person has to look at. */
  announce: (text: string) => void;
};

/** A webhook as EventBridge sends it, for a person who looks at the receiver. */
export const webhookJourney = ({ guest, url, announce }: Receiver): Journey => ({
  name: 'a partner is notified',
  steps: [
    {
      title: 'I18 a completed payment is sent to the receiver at once',
      check: async (world) => {
        await untilServed(world, guest);
        const uuid = text(at(json(await aBuyer(world).send('')), 'uuid'));
        const payment = { transaction: uuid, type: 1, value: '1.00', status: 1 };
        const paid = await programOf(world).write('POST', '/api/v2/payment', payment);
        assert.equal(paid.status, 201, paid.text);
        announce(whatToLookAt({ uuid, url, signature: guest.signature }));
        assert.equal(await whenSent(world, guest, uuid), 'sent');
        // Without a fault, the bus delivers in less than a second.
        await wait(10_000);
      },
      mend: '`operator events list --partner` and `operator explain` say what became of it; the dead-letter queue has what the bus gave up',
    },
  ],
});

/** EventBridge takes a minute to know the target of a new webhook; until then its events are kept. */
const untilServed = async ({ operator }: World, { name }: Guest): Promise<void> => {
  for (let tries = 0; tries < 90; tries += 1) {
    const shown = await operator('partner', 'show', name);
    const since = Date.parse(String(at(shown, 'webhookSince')));
    if (at(shown, 'webhook') === 'on' && since <= Date.now()) return;
    await wait(1_000);
  }
  throw new Error('The webhook is not on after 90 s: `operator partner show` says why');
};

/** The event's state in the log of events, once there is one. */
const whenSent = async ({ operator }: World, { name }: Guest, uuid: string): Promise<string> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const events = await operator('events', 'list', '--partner', name, '--transaction', uuid);
    const state = at(events, 0, 'state') ?? 'waiting';
    if (state !== 'waiting') return text(state);
    await wait(1_000);
  }
  return 'no event after 10 s';
};

const whatToLookAt = ({ uuid, url, signature }: { uuid: string; url: string; signature: string }) =>
  `Look at ${url}. One POST comes now, with
  X-Webhook-Signature: ${signature}
  detail-type "TransactionCompleted", detail.uuid "${uuid}"
  Idempotency-Key, X-Transaction-Version and X-Transaction-From-Version as values, not as "$.detail…"
  Content-Type: application/json, and a body that is the message alone`;
