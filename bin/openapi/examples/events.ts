import { eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import { presented } from '../../../functions/v2-partner/events.ts';
import { addresses } from './addresses.ts';
import { eventId } from './messages.ts';
import { complete } from './transactions.ts';
import { eventCursorExample } from './values.ts';

const atMs = Date.parse('2026-11-22T09:33:00Z');

/** An endpoint that was down for a day. */
const failed = presented({
  ...{ place: '', id: eventId, type: 'TransactionUpdated', uuid: complete.uuid, from: 3, to: 5, atMs },
  ...{ state: 'failed', reason: 'HTTP_503' },
});

/** The same transaction, which is behind since. */
const waiting = presented({
  ...{ place: '', id: null, type: 'TransactionUpdated', uuid: complete.uuid, from: 3, to: null },
  ...{ state: 'waiting', reason: 'HTTP_503', expiresAtMs: Date.parse('2026-12-22T09:33:00Z') },
});

/** A completion that is tried again by itself. */
const triedAgain = presented({
  ...{
    place: '',
    id: eventIdOf('example', 'TransactionCompleted', complete.uuid, { from: 4, to: 5 }),
    type: 'TransactionCompleted',
    uuid: complete.uuid,
    from: 4,
    to: 5,
  },
  ...{ state: 'waiting', reason: 'HTTP_404', dueAtMs: atMs + 900_000 },
});

const pageOf = (query: string) => `${addresses.baseUrl}/v2/event?${query}`;
const linksOf = (query: string) => ({ self: { href: pageOf(query) }, first: { href: pageOf(query) } });

/** A page of one event of several. */
export const eventListExample = {
  data: [failed],
  _links: {
    ...linksOf('per-page=1'),
    next: { href: pageOf(`per-page=1&after=${eventCursorExample}`) },
  },
  _meta: { perPage: 1 },
};

export const waitingListExample = {
  data: [waiting, triedAgain],
  _links: linksOf('filter%5Bstate%5D=waiting&per-page=10'),
  _meta: { perPage: 10 },
};
