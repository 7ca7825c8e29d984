import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read } from '../../../../../support/apis/v2-read.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';
import { histories } from '../../../../../support/builders/histories.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';
import { eventOf, messageIn } from '../../../../../support/builders/sent-events.ts';

const elements = 'vehicle,extras,deliveryCollection,financeProposal,valuation,customer,payments'.split(',');
const always = ['uuid', 'status', 'ndMeta'];
const unlessElements = [...always, 'isDeleted'];
const sights = ['plain', 'tokens'] as const;
type Sight = (typeof sights)[number];

/** What the API answers about a transaction in this state; a deleted one would be read as it was right before (DEL-1). */
const answerAt = async ({ transaction }: StoredTransaction, sight: Sight): Promise<JsonObject> => {
  const api = await aV2Read({
    transactions: [{ ...transaction, isDeleted: 0 }],
    partners: [aPartner({ showsPaymentTokens: sight === 'tokens' })],
  });
  const { body } = await api.get(`/api/v2/transaction/${transaction.uuid}?expand=ndMeta,${elements}`);
  return { ...body, isDeleted: transaction.isDeleted };
};

const isDeleted = ({ transaction }: StoredTransaction) => transaction.isDeleted === 1;

const detailIn = ({ bodies }: ReturnType<typeof eventOf>, sight: Sight) =>
  messageIn(bodies[sight] ?? bodies.plain).detail;

const pick = (from: JsonObject, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

const sightsToo = fc.constantFrom(...sights);

describe('TH-08 events agree with the API', () => {
  test('detail equals the API’s response to the same partner, byte for byte, with and without tokens', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(), sightsToo, async (states, cut, sight) => {
        const last = states.at(-1) ?? states[0];
        const detail = detailIn(eventOf(last, cut % last.version), sight);

        const answer = await answerAt(last, sight);

        expect(JSON.stringify(detail)).toBe(JSON.stringify(pick(answer, Object.keys(detail))));
      }),
      propertyRun('details and answers', 50, 400),
    );
  });

  test('I5 the elements of an event are those in which two API responses differ', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (states) => {
        for (const [index, state] of states.slice(1).entries()) {
          const before = await answerAt(states[index] ?? states[0], 'tokens');
          const after = await answerAt(state, 'tokens');
          const { omitted, bodies } = eventOf(state, state.version - 1);

          const notified = Object.keys(messageIn(bodies.plain).detail).filter(
            (name) => !unlessElements.includes(name),
          );
          const differing = elements.filter(
            (name) => !isDeleted(state) && !isDeepStrictEqual(before[name], after[name]),
          );

          expect([...notified, ...omitted].sort()).toEqual(differing.sort());
        }
      }),
      propertyRun('elements and differences of answers', 25, 150),
    );
  });

  test('I5 events, merged one after the other, equal the API’s response after each', async () => {
    const cuts = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(histories, cuts, sightsToo, async (states, isCut, sight) => {
        const names = [...always, ...elements];
        const [imported, ...later] = states;
        let state = pick(await answerAt(imported, sight), names);
        let from = imported.version;
        for (const stored of later.filter((one) => one === later.at(-1) || isCut.next().value)) {
          const notified = eventOf(stored, from);
          const answer = await answerAt(stored, sight);
          // The header names the left-out elements, which the receiver reads (EV-9).
          if (isDeleted(stored))
            return expect(detailIn(notified, sight)).toEqual(pick(answer, unlessElements));
          state = { ...state, ...detailIn(notified, sight), ...pick(answer, notified.omitted) };

          expect(state).toEqual(pick(answer, names));
          from = stored.version;
        }
      }),
      propertyRun('merged events and answers', 25, 150),
    );
  });
});
