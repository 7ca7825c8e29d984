import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { presentDelivery, presentWhole } from '../../../functions/v2-partner/event-body.ts';
import { addresses } from './addresses.ts';
import { eventId, updatedExample } from './messages.ts';
import { complete } from './transactions.ts';
import { eventCursorExample } from './values.ts';

const claimedAtMs = Date.parse('2026-11-22T09:33:00Z');

/** An endpoint that was down for a short time. */
const retried: Delivery = {
  ...{ eventId, clientId: 'exampleclient0000000000001', type: 'TransactionUpdated', uuid: complete.uuid },
  ...{ from: 3, to: 5, claimedAtMs, refusals: 0, failures: 1, redrives: 0, state: 'DELIVERED' },
  timeline: [
    { atMs: claimedAtMs - 125_000, step: 'changed' },
    { atMs: claimedAtMs, step: 'claimed' },
    { atMs: claimedAtMs + 400, step: 'accepted' },
    { atMs: claimedAtMs + 900, step: 'attempted', note: 'HTTP 503' },
    { atMs: claimedAtMs + 61_000, step: 'delivered', note: 'HTTP 204' },
  ],
};

export const eventExample: unknown = JSON.parse(
  presentWhole(retried, { plain: JSON.stringify(updatedExample) }, { showsPaymentTokens: false }),
);

/** The same a minute earlier, after the first refusal. */
const retrying: Delivery = {
  ...retried,
  ...{ state: 'DEAD', reason: 'HTTP_503', dueAtMs: claimedAtMs + 61_000 },
};

const page = `${addresses.baseUrl}/v2/event?per-page=1`;

/** A page of one event of several. */
export const eventListExample = {
  data: [presentDelivery(retrying)],
  _links: {
    ...{ self: { href: page }, first: { href: page } },
    next: { href: `${page}&after=${eventCursorExample}` },
  },
  _meta: { perPage: 1 },
};
