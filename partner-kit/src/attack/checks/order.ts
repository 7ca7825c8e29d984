import { samplePayment, sampleVehicle } from '../../samples/detail.ts';
import { broken, type Check } from '../check.ts';
import { allTaken, inOrder, showsSoon } from '../judge.ts';
import { notUndone } from './copies.ts';

const orderAdvice =
  'Deliveries may overtake each other: take every message with 2xx, and settle the order by the two version headers afterwards.';

/** What comes late or early is taken all the same. */
export const orderChecks: readonly Check[] = [
  {
    name: 'out-of-order',
    rule: 'It takes 1 → 2 before 0 → 1.',
    run: async (target) => {
      const second = target.letter({ range: { from: 1, to: 2 } });
      const first = target.letter({ uuid: second.uuid, range: { from: 0, to: 1 } });
      return allTaken(await inOrder(target, [second, first]), orderAdvice);
    },
  },
  {
    name: 'older',
    rule: 'It takes a message of versions that it has, under a new id, without going back to it.',
    run: async (target) => {
      const first = target.letter();
      const { uuid } = first;
      const newer = target.letter({ uuid, range: { from: 1, to: 2 } });
      const older = target.letter({ uuid, range: { from: 0, to: 1 } });
      const finding = allTaken(await inOrder(target, [first, newer, older]), orderAdvice);
      return notUndone(target, { older, newer }, finding);
    },
  },
  {
    name: 'gap',
    rule: 'It takes 3 → 5 after 0 → 1, and the missing 1 → 3 when it comes.',
    run: async (target) => {
      const first = target.letter();
      const { uuid } = first;
      const letters = [
        first,
        target.letter({ uuid, range: { from: 3, to: 5 } }),
        target.letter({ uuid, range: { from: 1, to: 3 } }),
      ];
      return allTaken(await inOrder(target, letters), `${orderAdvice} A gap says: read the API.`);
    },
  },
  {
    name: 'overlap',
    rule: 'It takes 1 → 3 after 0 → 2: what begins before the end of the last one joins.',
    run: async (target) => {
      const first = target.letter({ range: { from: 0, to: 2 } });
      const second = target.letter({ uuid: first.uuid, range: { from: 1, to: 3 } });
      const finding = allTaken(await inOrder(target, [first, second]), orderAdvice);
      if (!target.seenInState || finding.verdict !== 'kept' || (await showsSoon(target, second)))
        return finding;
      return broken(
        `${finding.seen}, and the second was not applied`,
        'An update joins when its `from` is at most what you have and its `to` is above it.',
      );
    },
  },
  {
    name: 'completed-outside',
    rule: 'It keeps TransactionCompleted out of the chain: the update with the same payments is applied.',
    run: async (target) => {
      const first = target.letter({ range: { from: 0, to: 3 } });
      const { uuid } = first;
      const payments = [samplePayment(target.deps.newId(), Math.floor(target.deps.now().getTime() / 1000))];
      const completed = target.letter({
        ...{ uuid, type: 'TransactionCompleted', status: 1 },
        ...{ range: { from: 4, to: 5 }, elements: { payments } },
      });
      const marker = `After${target.deps.randomText(12)}`;
      const elements = { payments, vehicle: sampleVehicle(marker) };
      const update = target.letter({ uuid, marker, elements, status: 1, range: { from: 3, to: 5 } });
      const finding = allTaken(await inOrder(target, [first, completed, update]), orderAdvice);
      if (!target.seenInState || finding.verdict !== 'kept' || (await showsSoon(target, update)))
        return finding;
      return broken(
        `${finding.seen}, and the update was not applied`,
        'Do not move `known` by a TransactionCompleted: it comes at once, before the updates whose versions it names.',
      );
    },
  },
];
