import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventElementNames } from '../../../../functions/shared/domain/event/event.ts';
import { presentTransaction } from '../../../../functions/shared/domain/query/projection.ts';
import type { JsonObject, Transaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aNotifiedPartner } from '../../../support/apis/notified-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { messageIn } from '../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';

type Message = { detail: JsonObject; version: number };
type World = Awaited<ReturnType<typeof aNotifiedPartner>>;

/** What a partner knows: every message in the order of versions, the later value of each element wins. */
const folded = (messages: readonly Message[]) => {
  const known = new Map<string, JsonObject>();
  for (const { detail } of messages.toSorted((one, other) => one.version - other.version))
    known.set(String(detail.uuid), { ...known.get(String(detail.uuid)), ...detail });
  return known;
};

const changes = fc.oneof(
  { weight: 4, arbitrary: fc.nat(9).map((n): Partial<Transaction> => ({ vehicle: { n } })) },
  { weight: 4, arbitrary: fc.nat(9).map((n): Partial<Transaction> => ({ customer: { n } })) },
  { weight: 2, arbitrary: fc.constant<Partial<Transaction>>({ valuation: { n: 0 } }) },
  { weight: 1, arbitrary: fc.constant<Partial<Transaction>>({ status: 1 }) },
  { weight: 1, arbitrary: fc.constant<Partial<Transaction>>({ isDeleted: 1 }) },
);
const step = fc.record({ n: fc.nat(2), change: changes, rests: fc.boolean() });
/** The receiver is up until `from` and down until `to`. Messages in between are lost, without a report. */
const history = fc
  .record({ steps: fc.array(step, { minLength: 3, maxLength: 14 }), from: fc.nat(7), length: fc.nat(9) })
  .map(({ steps, from, length }) => ({ steps, from, to: Math.min(from + length, steps.length) }));
const way = fc.constantFrom('reads the list', 'has it sent again');

const ask = async (world: World, target: string, body?: object) =>
  world.ask(
    target,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  );

/** Every event since a time, by the links of the list, each with its message. */
const readSince = async (world: World, since: string): Promise<Message[]> => {
  const messages: Message[] = [];
  let target: string | undefined = `/api/v2/event?filter[since]=${since}&per-page=2`;
  while (target !== undefined) {
    const { body } = await ask(world, target);
    for (const { id, toVersion } of body.data) {
      const { message } = (await ask(world, `/api/v2/event/${id}`)).body;
      messages.push({ detail: message.detail, version: toVersion });
    }
    target = body._links.next?.href.replace('https://api.example', '');
  }
  return messages;
};

const sentSince = async (world: World, since: string): Promise<Message[]> => {
  for (let body: object | null = { since }; body !== null; ) {
    const answer = await ask(world, '/api/v2/event/replay', body);
    expect(answer.status).toBe(202);
    body = answer.body.next;
  }
  const messages: Message[] = [];
  for (let tick = 0; tick < 4; tick += 1) {
    messages.push(...(await world.flush()).map(received));
    world.pass(30);
  }
  return messages;
};

const received = ({ message, to }: { message: string; to: number }): Message => ({
  detail: messageIn(message).detail,
  version: to,
});

/** What the API shows of a transaction, without what never existed and what nobody is notified of. */
const shownBy = (transaction: Transaction): JsonObject =>
  presentTransaction(
    transaction,
    {
      own: new Map([
        ['uuid', 'everything'],
        ['status', 'everything'],
      ]),
      elements: new Map(eventElementNames.map((name) => [name, 'everything'])),
    },
    { showsPaymentTokens: false },
  );

test('V2-7 V2-10 after a random outage, the folded events agree with the API', async () => {
  let outages = 0;

  await fc.assert(
    fc.asyncProperty(history, way, async ({ steps, from, to }, catchesUp) => {
      const uuids = [0, 1, 2].map(uuidOf);
      const world = await aNotifiedPartner({
        partners: [aPartner({ webhookUrl: 'https://partner.example/' })],
        transactions: uuids.map((uuid) => aNewTransaction({ uuid }, { session: 's' })),
      });
      const known: Message[] = [];
      let since = '';
      for (const [index, { n, change, rests }] of steps.entries()) {
        if (index === from) since = world.time.now.toISOString();
        const isUp = index < from || index >= to;
        await world.change(uuids[n] ?? '', change);
        world.pass(rests ? 125 : 10);
        const sent = (await world.flush()).map(received);
        if (isUp) known.push(...sent);
        else outages += sent.length;
      }
      world.pass(300);
      known.push(...(await world.flush()).map(received));

      const caughtUp =
        since === '' ? [] : await (catchesUp === 'reads the list' ? readSince : sentSince)(world, since);

      const state = folded([...known, ...caughtUp]);
      for (const uuid of uuids) {
        const stored = await world.transactions.byUuid(uuid);
        if (!stored || !steps.some(({ n }) => uuids[n] === uuid)) continue;
        const notified = state.get(uuid);
        if (stored.transaction.isDeleted === 1) expect([undefined, 1]).toContain(notified?.isDeleted);
        else if (stored.version > 1)
          expect({ ...absent, ...notified, ndMeta: undefined }).toEqual({
            ...shownBy(stored.transaction),
            ndMeta: undefined,
          });
      }
    }),
    propertyRun('histories with an outage', 60, 1_000),
  );

  process.stdout.write(`messages that were lost: ${outages}\n`);
  expect(outages).toBeGreaterThan(0);
}, 600_000);

/** Elements that were never there. */
const absent: JsonObject = Object.fromEntries(
  eventElementNames.map((name) => [name, name === 'payments' ? [] : null]),
);
