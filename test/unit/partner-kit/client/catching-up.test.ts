import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Transaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { BusEntry } from '../../../../functions/shared/outbound/event-bus.ts';
import { type Change, createReceiver, fetchHandler, readWith } from '../../../../partner-kit/src/index.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { all } from '../../../support/partner-kit/fake-service.ts';
import {
  aServiceInProcess,
  servedSource,
  webhookOf,
} from '../../../support/partner-kit/service-in-process.ts';
import { signature } from '../../../support/partner-kit/webhooks.ts';

type Service = Awaited<ReturnType<typeof aServiceInProcess>>;
type Detail = Record<string, unknown>;
/** What a partner has of each transaction. */
type Kept = Map<string, Detail | 'gone'>;

const uuids = [1, 2, 3].map(uuidOf);
const often = (weight: number, arbitrary: fc.Arbitrary<Partial<Transaction>>) => ({ weight, arbitrary });
const changes = fc.oneof(
  often(
    4,
    fc.nat(9).map((n) => ({ vehicle: { n } })),
  ),
  often(
    4,
    fc.nat(9).map((n) => ({ customer: { n } })),
  ),
  often(
    2,
    fc.nat(3).map((n) => ({ financeProposal: { n } })),
  ),
  often(
    2,
    fc.nat(3).map((n) => ({ payments: [{ id: n, value: '1.00' }] })),
  ),
  often(
    3,
    fc.constantFrom<Partial<Transaction>>({ guestEmail: 'a@example.com' }, { status: 1 }, { isDeleted: 1 }),
  ),
);
const step = fc.record({
  uuid: fc.constantFrom(...uuids),
  change: changes,
  rests: fc.boolean(),
  isLate: fc.boolean(),
});
/** The receiver is up until `from` and down until `to`. Messages in between are lost, without a report. */
const history = fc
  .record({ steps: fc.array(step, { minLength: 3, maxLength: 14 }), at: fc.nat(7), length: fc.nat(9) })
  .map(({ steps, at, length }) => {
    const from = Math.min(at, steps.length - 1);
    return { steps, from, to: from + length };
  });

/** What of a transaction a webhook may tell, in the words of the interface (6.2). */
const told = 'status vehicle extras deliveryCollection financeProposal valuation customer payments'.split(
  ' ',
);

/** The API's answer, as far as a webhook shows it. `gone` if it is 404. */
const shownBy = async ({ read }: Service, uuid: string) => {
  const { status, body } = await read(`/api/v2/transaction/${uuid}?expand=${told.slice(1)}`);
  return status === 404 ? 'gone' : Object.fromEntries(told.map((name) => [name, body[name]]));
};

/** What was never told of was never there. */
const whole = (detail: Detail) =>
  Object.fromEntries(told.map((name) => [name, detail[name] ?? (name === 'payments' ? [] : null)]));

/**
 * A partner that only keeps messages, and puts them together when it is asked: the later value of each element wins. A
 * completion stands outside of that; an update with the same follows.
 */
const aDiary = () => {
  const updates: { detail: Detail; version: number }[] = [];
  const write = (text: string, version: number) => {
    const { 'detail-type': type, detail } = JSON.parse(text);
    if (type === 'TransactionUpdated') updates.push({ detail, version });
  };
  return {
    take: async ({ message, to }: BusEntry) => write(message, to),
    write: (message: unknown, version: number) => write(JSON.stringify(message), version),
    kept: (): Kept => {
      const kept: Kept = new Map();
      for (const { detail } of updates.toSorted((one, other) => one.version - other.version))
        kept.set(String(detail.uuid), detail.isDeleted === 1 ? 'gone' : togetherWith(kept, detail));
      return kept;
    },
  };
};

const togetherWith = (kept: Kept, detail: Detail) => {
  const before = kept.get(String(detail.uuid));
  return { ...(before === 'gone' ? {} : before), ...detail };
};

/** A partner that has the kit's receiver, and does with each change what the kit's README says. */
const aReceivingPartner = ({ client }: Service, readsBack: boolean) => {
  const kept: Kept = new Map();
  const receiver = createReceiver({
    signatures: signature,
    source: servedSource,
    apply: (change: Change) => {
      if (change.kind === 'update') kept.set(change.uuid, togetherWith(kept, change.detail));
      if (change.kind === 'state') kept.set(change.uuid, { ...change.transaction });
      if (change.kind === 'deleted' || change.kind === 'gone') kept.set(change.uuid, 'gone');
    },
    // No limit runs out in here.
    sleep: () => new Promise(() => undefined),
    ...(readsBack && { readBack: readWith(client) }),
  });
  const handle = fetchHandler(receiver);
  return {
    take: async (entry: BusEntry) => {
      expect((await handle(webhookOf(entry))).status).toBe(204);
      await receiver.settled();
    },
    kept: () => kept,
  };
};

/** Reads what it was sent since then, with the kit. */
const readSince = async ({ client }: Service, since: string, diary: ReturnType<typeof aDiary>) => {
  for (const { id, toVersion } of await all(client.events.list({ filter: { since }, perPage: 2 }))) {
    const { message } = (await client.events.retrieve(id)).data;
    diary.write(message, toVersion);
  }
};

/** Has it sent again, with the kit, and takes it. */
const haveSentSince = async (service: Service, since: string, take: (entry: BusEntry) => Promise<void>) => {
  await all(service.client.events.replayAll({ since }));
  for (let tick = 0; tick < 4; tick += 1) {
    for (const entry of await service.flush()) await take(entry);
    service.pass(30);
  }
};

/**
 * Plays a history: late messages arrive after newer ones, and a receiver that is down loses messages and then catches
 * up by itself.
 */
const live = async ({ steps, from, to }: History, way: Way) => {
  const service = await aServiceInProcess(uuids.map((uuid) => aNewTransaction({ uuid }, { session: 's' })));
  const diary = aDiary();
  const partner = way === 'reads the list' ? diary : aReceivingPartner(service, way === 'reads back');
  const outage = { since: '', lost: 0 };
  const late: BusEntry[] = [];
  const tick = async ({ isUp, isLate = false }: { isUp: boolean; isLate?: boolean }) => {
    const sent = await service.flush();
    const arrived = isLate ? [] : [...sent, ...late.splice(0)];
    if (isLate) late.push(...sent);
    if (!isUp) outage.lost += arrived.length;
    else for (const entry of arrived) await partner.take(entry);
  };
  for (const [index, { uuid, change, rests, isLate }] of steps.entries()) {
    if (index === from) {
      // What was sent before is tried again by the service itself.
      for (const entry of late.splice(0)) await partner.take(entry);
      outage.since = service.time.now.toISOString();
    }
    await service.change(uuid, change);
    service.pass(rests ? 125 : 10);
    await tick({ isUp: index < from || index >= to, isLate });
  }
  service.pass(300);
  await tick({ isUp: true });
  if (way === 'reads the list') await readSince(service, outage.since, diary);
  else await haveSentSince(service, outage.since, partner.take);
  return { service, kept: partner.kept(), lost: outage.lost };
};
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
const ways = ['reads the list', 'has it sent again', 'reads back'] as const;
type Way = (typeof ways)[number];

test('V2-7 V2-10 KIT-26 after a random outage, the folded events that the kit catches up on equal the API', async () => {
  const lost = { events: 0, histories: 0 };

  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(...ways), async (past, way) => {
      const { service, kept, lost: events } = await live(past, way);
      lost.events += events;
      lost.histories += events > 0 ? 1 : 0;

      for (const uuid of new Set(past.steps.map((one) => one.uuid))) {
        const shown = await shownBy(service, uuid);
        const known = kept.get(uuid);
        // Nothing is sent about transactions that were created and deleted before the first event.
        if (shown === 'gone') expect([undefined, 'gone']).toContain(known);
        else expect(whole(known === 'gone' || known === undefined ? {} : known)).toEqual(shown);
      }
    }),
    propertyRun("histories with an outage, by the kit's client", 40, 1_000),
  );

  process.stdout.write(`messages lost: ${lost.events}, in ${lost.histories} histories\n`);
  expect(lost.histories).toBeGreaterThan(0);
}, 600_000);
