import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventIdOf } from '../../../../../functions/shared/domain/event/event.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { coalesce, type StoredEvent } from '../../../../../functions/shared/replay/coalesce.ts';
import { histories } from '../../../../support/builders/histories.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';
import { eventOf, known, messageIn } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction } from '../../../../support/builders/transactions.ts';
import { aWholePayment } from '../../../../support/builders/whole-elements.ts';

const now = new Date('2026-11-21T13:00:00.750Z');
const facts = { stage: 'local', now, recipients: ['P'] };
const uuid = '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000';

/** A state whose elements last changed at the given versions. */
const stateAt = (
  version: number,
  changed: Partial<StoredTransaction['elementVersions']>,
  transaction: Partial<StoredTransaction['transaction']>,
): StoredTransaction => {
  const untouched = aNewTransaction(transaction);
  const elementVersions = { ...untouched.elementVersions, ...changed };
  return { ...untouched, version, elementVersions, position: 1 };
};

const customerOf = (firstName: string) => ({ customer: { firstName } });
const first = eventOf(stateAt(1, { customer: 1 }, customerOf('Ada')), 0);
const second = eventOf(stateAt(2, { customer: 2, extras: 2 }, { ...customerOf('Bo'), extras: { a: 1 } }), 1);
const third = eventOf(stateAt(4, { valuation: 3 }, { valuation: { value: 9 } }), 2);

describe('coalescing several events', () => {
  test('EV-6 gives one event with the id of the whole range, each element as of its last change', () => {
    const { event, bodies, gaps } = coalesce([second, third, first], facts);

    expect(event).toEqual({
      ...third.event,
      eventId: eventIdOf('local', 'TransactionUpdated', uuid, { from: 0, to: 4 }),
      from: 0,
      to: 4,
      elements: ['extras', 'valuation', 'customer'],
      omitted: [],
      claimedAtMs: now.getTime(),
    });
    expect(bodies).toEqual({
      plain: `{"version":"0","id":"${event.eventId}","detail-type":"TransactionUpdated","source":"svc.local.online-payments","account":"000000000000","time":"2026-01-01T00:02:00Z","region":"eu-west-2","resources":[],"detail":{"uuid":"${uuid}","status":0,"ndMeta":{"group":"group-a","franchise":"franchise-a","branch":"Branch A","location":"location-a","groupSoftware":""},"extras":{"a":1},"valuation":{"value":9},"customer":{"firstName":"Bo"}}}`,
    });
    expect(gaps).toEqual([]);
  });

  test('EV-6 gives the same bytes at any time: one that was sent may be folded again after a restore', () => {
    const { bodies } = coalesce([first, second], facts);

    expect(coalesce([first, second], { ...facts, now: new Date(0) }).bodies).toEqual(bodies);
  });

  test('EV-6 keeps the id and the bytes of a single event', () => {
    expect(coalesce([second], facts)).toEqual({ ...second, gaps: [] });
  });

  test('I6 returns the event that tells everything that the others tell', () => {
    const { event, bodies } = coalesce([first, second, third], facts);

    expect(coalesce([first, { event, bodies }, second, third], { ...facts, now: new Date(0) })).toEqual({
      event,
      bodies,
      gaps: [],
    });
  });

  test('I1 names versions that no event tells of', () => {
    expect(coalesce([first, third], facts).gaps).toEqual([{ from: 1, to: 2 }]);
  });

  test('EV-9 omits and names the elements of an event without bodies', () => {
    const { event, bodies } = coalesce([first, { ...second, bodies: undefined }, third], facts);

    expect(event.elements).toEqual(['extras', 'valuation', 'customer']);
    expect(event.omitted).toEqual(['extras', 'customer']);
    expect(Object.keys(messageIn(bodies.plain).detail)).toEqual(['uuid', 'status', 'ndMeta', 'valuation']);
  });

  test('EV-9 omits the largest elements first when the event is too large', () => {
    const large = (version: number, name: 'vehicle' | 'extras', bytes: number) =>
      eventOf(stateAt(version, { [name]: version }, { [name]: { note: 'x'.repeat(bytes) } }), version - 1);

    const { event, bodies } = coalesce([large(1, 'vehicle', 31_000), large(2, 'extras', 30_000)], facts);

    expect(event.omitted).toEqual(['vehicle']);
    expect(Object.keys(messageIn(bodies.plain).detail)).toEqual(['uuid', 'status', 'ndMeta', 'extras']);
  });

  test('EV-9 does not fall back to an older value of an element that the last event omitted', () => {
    const told = eventOf(stateAt(1, { vehicle: 1 }, { vehicle: { make: 'Ford' } }), 0);
    const thin = eventOf(stateAt(2, { vehicle: 2 }, { vehicle: { make: 'x'.repeat(60_000) } }), 1);

    const { event, bodies } = coalesce([told, thin], facts);

    expect(event.omitted).toEqual(['vehicle']);
    expect(messageIn(bodies.plain).detail).not.toHaveProperty('vehicle');
  });

  test('SHOW-1 puts tokens only into the body with tokens', () => {
    const paid = eventOf(stateAt(2, { payments: 2 }, { payments: [{ id: 1, token: 'tok_1' }] }), 1);

    const { bodies } = coalesce([first, paid], facts);

    expect(messageIn(bodies.plain).detail.payments).toEqual([aWholePayment({ id: 1 })]);
    expect(messageIn(bodies.tokens ?? '').detail.payments).toEqual([
      aWholePayment({ id: 1, token: 'tok_1' }),
    ]);
  });
});

/** Events that cut a history into adjacent ranges; some had no recipients and so have no bodies. */
const chains = fc
  .tuple(histories, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.nat(9)))
  .map(([states, cuts, losses]): [StoredEvent, ...StoredEvent[]] => {
    const ends = states.slice(1).filter((_, index) => index === states.length - 2 || cuts.next().value);
    const told = ends.map((state, index): StoredEvent => {
      const { event, bodies } = eventOf(state, index === 0 ? 1 : (ends[index - 1]?.version ?? 1));
      const isLost = losses.next().value === 0 && index < ends.length - 1;
      return { event, bodies: isLost ? undefined : bodies };
    });
    return told as [StoredEvent, ...StoredEvent[]];
  });
const withChange = chains.filter(({ length }) => length > 0);

test('EV-6 the combined event tells what all of its events together tell', () => {
  fc.assert(
    fc.property(withChange, (told) => {
      const { event, bodies, gaps } = coalesce(told, facts);

      for (const variant of ['plain', 'tokens'] as const) {
        const all = known(told.map(withNames), variant);
        for (const name of event.omitted) delete all[name];
        expect(known([{ event, bodies }], variant)).toEqual(all);
      }
      expect(gaps).toEqual([]);
      expect(Buffer.byteLength(bodies.tokens ?? bodies.plain)).toBeLessThan(60_000);
    }),
    propertyRun('coalesced events', 50, 500),
  );
}, 120_000);

/** The elements of an event without bodies are all unknown. */
const withNames = ({ event, bodies }: StoredEvent): StoredEvent => ({
  event: bodies ? event : { ...event, omitted: event.elements },
  bodies,
});

test('I5 I6 the combined event has the bytes of one event for the whole range', () => {
  fc.assert(
    fc.property(histories, fc.infiniteStream(fc.boolean()), (states, cuts) => {
      const [imported, ...later] = states;
      fc.pre(later.length > 1);
      const last = later.at(-1) ?? imported;
      const ends = later.filter((state) => state === last || cuts.next().value);
      const told = ends.map((state, index) => eventOf(state, ends[index - 1]?.version ?? 1));
      const atOnce = eventOf(last, 1);
      fc.pre(told.length > 1 && told.every(({ event }) => event.omitted.length === 0));

      const { event, bodies } = coalesce(told as [StoredEvent, ...StoredEvent[]], facts);

      expect(bodies).toEqual(atOnce.bodies);
      expect(event).toEqual({ ...atOnce.event, claimedAtMs: now.getTime() });
    }),
    propertyRun('coalesced chains', 30, 300),
  );
}, 120_000);
