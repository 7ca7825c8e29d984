import assert from 'node:assert/strict';
import { configOf } from '../../lib/config.ts';
import { checkMessage } from '../support/builders/message-schema.ts';
import { at, list, text } from './answers.ts';
import type { Journey } from './world.ts';

/** One event as the partner is sent it, with the versions between which it tells. */
type Told = { receivedAtMs: number; message: unknown; from: string; to: string };

/** An imported transaction, and the actions and events of its partner. */
type EventCase = {
  uuid: string;
  ndMeta: object;
  /** Changes the transaction or pays for it, as its partner. */
  write: (method: 'PATCH' | 'POST', path: string, body: object) => Promise<unknown>;
  /** All events to the partner about the transaction, once there are this many. */
  whenNotified: (count: number) => Promise<Told[]>;
  /** Lets the dormancy pass, or simulates it. */
  rest: () => Promise<unknown>;
};

export type EventWorld = {
  /** `svc.<stage>.online-payments` */
  source: string;
  aCase: (name: string) => Promise<EventCase>;
};

/**
 * I18 with one fault: here a place may take seconds to start a function. The two seconds of a sender that runs are proven
 * on the simulation's clock.
 */
const mostUntilCompletedMs = 30_000;

/** From a change to the event of a partner (interface 6). */
export const eventJourney: Journey<EventWorld> = {
  name: 'a partner is notified',
  steps: [
    {
      title: 'interface 6 a change at rest is one message that has exactly what changed',
      check: async ({ aCase, source }) => {
        const { uuid, ndMeta, write, whenNotified, rest } = await aCase('acme');

        await write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
        await rest();
        const [notified, ...more] = await whenNotified(1);

        const message = notified?.message;
        assert.deepEqual(checkMessage(message), []);
        assert.match(
          text(at(message, 'id')),
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        assert.match(text(at(message, 'time')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        assert.deepEqual(message, {
          version: '0',
          id: at(message, 'id'),
          'detail-type': 'TransactionUpdated',
          source,
          account: '000000000000',
          time: at(message, 'time'),
          region: configOf(source.split('.')[1] ?? '').region,
          resources: [],
          detail: { uuid, status: 0, ndMeta, customer: { firstName: 'Ann', lastName: 'Example' } },
        });
        assert.deepEqual([notified?.from, notified?.to], ['1', '2']);
        assert.equal(more.length, 0);
      },
    },
    {
      title: 'interface 6.1 EV-2 I18 a payment is sent at once, and again as an update when it rests',
      check: async ({ aCase }) => {
        const { uuid, write, whenNotified, rest } = await aCase('paid');
        const payment = { transaction: uuid, type: 1, value: '250.00', status: 1 };

        const paid = await write('POST', '/api/v2/payment', payment);
        const answeredAtMs = Date.now();
        const [completed] = await whenNotified(1);
        await rest();
        const [, updated, ...more] = await whenNotified(2);

        const detail = at(completed?.message, 'detail');
        assert.deepEqual(checkMessage(completed?.message), []);
        assert.equal(at(completed?.message, 'detail-type'), 'TransactionCompleted');
        const publishedAtMs = Date.parse(String(at(completed?.message, 'time')));
        assert.ok(
          publishedAtMs <= answeredAtMs + mostUntilCompletedMs,
          'published without waiting for the rest',
        );
        assert.deepEqual(Object.keys(Object(detail)), ['uuid', 'status', 'ndMeta', 'payments']);
        assert.deepEqual([at(detail, 'uuid'), at(detail, 'status')], [uuid, 1]);
        assert.deepEqual(list(at(detail, 'payments')), [paid]);
        assert.equal(at(updated?.message, 'detail-type'), 'TransactionUpdated');
        assert.deepEqual(at(updated?.message, 'detail'), detail);
        assert.notEqual(at(updated?.message, 'id'), at(completed?.message, 'id'));
        assert.deepEqual([updated?.from, updated?.to], ['1', '2']);
        assert.equal(more.length, 0);
      },
    },
  ],
};
