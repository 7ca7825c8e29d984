import { type Answer, at, hasHeader, hasStatus, isSame, isTrue, listAt, within } from '../answer.ts';
import { type Check, withoutGuest } from '../check.ts';
import { buyerOf, guestOf, jsonOf, lists, newTransaction, programOf } from '../clients.ts';
import type { Visit } from '../visit.ts';

/** A key of its own for each use: what a key was used for is kept for a day. */
const keyFor = ({ guest }: Visit, use: string) => ({ 'Idempotency-Key': `${guest?.name}-${use}` });

const rights =
  'AccessDenied in the log of the function means a key that its role may not touch: docs/rules.md, "Who may do what in the tables"';

/** Writes into the group of this run, which show the rights of the functions on each table (S-66). */
export const writeChecks: readonly Check[] = [
  {
    title: 'V1-6 WR-1 S-66 a buyer makes a transaction; the same request again makes no other',
    unless: withoutGuest,
    look: async (visit) => {
      const { session } = await newTransaction(visit);
      const send = () =>
        buyerOf(visit)(
          { method: 'POST', ...jsonOf({ vehicle: { make: 'Smoke' } }, keyFor(visit, 'make')) },
          session,
        );
      const first = await send();
      const again = await send();
      return [
        hasStatus(first, 201),
        hasHeader(first, 'Location', /\/transaction\//),
        ...isReplay(first, again),
      ];
    },
    mend: rights,
  },
  {
    title: 'V2-4 WR-1 S-66 a payment completes a transaction once, however often it is sent',
    unless: withoutGuest,
    look: async (visit) => {
      const { uuid } = await newTransaction(visit);
      const reader = await programOf(visit);
      const open = await reader.ask(`${lists}/${uuid}`);
      const { first, again } = await payTwice(visit, uuid);
      const paid = await reader.ask(`${lists}/${uuid}?expand=payments`);
      const completed = await reader.ask(`${lists}?filter[uuid]=${uuid}&filter[status]=1`);
      return [
        hasStatus(open, 200),
        isSame('status before', 0, at(open, 'status')),
        hasStatus(first, 201),
        ...isReplay(first, again),
        isSame('status after', 1, at(paid, 'status')),
        isSame('payments', 1, listAt(paid, 'payments').length),
        isSame('complete ones in the list', 1, at(completed, '_meta', 'totalCount')),
      ];
    },
    mend: rights,
  },
  {
    title: 'interface 6.1 a completed payment is told at once to the receiver',
    unless: (visit) =>
      withoutGuest(visit) ?? (visit.receiver === undefined ? 'it needs --receiver' : undefined),
    look: async (visit) => {
      await untilServed(visit);
      const { uuid } = await newTransaction(visit);
      await payTwice(visit, uuid);
      const state = await whenTold(visit, uuid);
      visit.note(whatToLookAt(visit, uuid));
      await visit.wait(deliveryMs);
      return [isTrue('ACCEPTED or DELIVERED', ['ACCEPTED', 'DELIVERED'].includes(state), state)];
    },
    mend: '`operator events list --partner` and `operator explain` say what became of it; the dead-letter queue has what the bus gave up',
  },
];

const payTwice = async (visit: Visit, uuid: string) => {
  const { ask } = await programOf(visit, 'nop2/write');
  const payment = { transaction: uuid, type: 1, value: '1.00', status: 1 };
  const send = () =>
    ask('/api/v2/payment', { method: 'POST', ...jsonOf(payment, keyFor(visit, `pay-${uuid}`)) });
  return { first: await send(), again: await send() };
};

const isReplay = (first: Answer, again: Answer) => [
  hasStatus(again, first.status),
  hasHeader(again, 'Idempotency-Replayed', /^true$/),
  isSame('the first answer', first.text, again.text),
];

/** From the acceptance by the bus to the receiver; it takes less than a second where nothing is wrong. */
const deliveryMs = 10_000;

/** EventBridge takes a minute to know the target of a new webhook; until then its events are kept. */
const untilServed = async (visit: Visit): Promise<void> => {
  const { operator, name } = guestOf(visit);
  for (let tries = 0; tries < 90; tries += 1) {
    const shown = await operator('partner', 'show', name);
    const since = Date.parse(String(within(shown, 'webhookSince')));
    if (within(shown, 'webhook') === 'on' && since <= visit.now().getTime()) return;
    await visit.wait(1_000);
  }
  throw new Error('The webhook is not on after 90 s: `operator partner show` says why');
};

/** The state of the event in the delivery log, as soon as it is no longer on its way there. */
const whenTold = async (visit: Visit, uuid: string): Promise<string> => {
  const { operator, name } = guestOf(visit);
  const words = ['events', 'list', '--partner', name, '--transaction', uuid];
  for (let tries = 0; tries < 10; tries += 1) {
    const [event] = (await operator(...words)) as { state?: string }[];
    if (event && event.state !== 'READY') return event.state ?? '';
    await visit.wait(1_000);
  }
  return 'no event after 10 s';
};

const whatToLookAt = (visit: Visit, uuid: string) => `
Look at ${visit.receiver}. One POST has come since now, with
  X-Webhook-Signature: ${guestOf(visit).signature}
  detail-type "TransactionCompleted", detail.uuid "${uuid}"
  Idempotency-Key, X-Transaction-Version and X-Transaction-From-Version as values, not as "$.detail…"
  Content-Type: application/json, and a body that is the message alone
`;
