import { sampleCustomer, samplePayment, sampleVehicle } from '../../samples/detail.ts';
import type { SampleRange } from '../../samples/message.ts';
import { broken, type Check, type Finding, unseen } from '../check.ts';
import { allTaken, byAnswers, inOrder, settle, showsSoon } from '../judge.ts';
import type { Letter, Target } from '../target.ts';
import { notUndone, olderAdvice } from './copies.ts';

const orderAdvice =
  'Deliveries may overtake each other: take every message with 2xx, and settle the order by the two version headers afterwards.';

/** A late update: of an element that is newer already, and of one that no other message contains. */
const lateLetter = (target: Target, uuid: string, range: SampleRange): Letter => {
  const marker = `Late${target.deps.randomText(12)}`;
  const elements = { customer: sampleCustomer(marker), extras: [{ name: marker }] };
  return target.letter({ uuid, range, marker, elements });
};

/**
 * With a view of the state: the newer value stays, and the element of the late message alone is there. If it is not,
 * the receiver may have read the API instead, which has no such transaction.
 */
const joined = async (
  target: Target,
  { newer, late, next }: { newer: Letter; late: Letter; next: SampleRange },
  finding: Finding,
): Promise<Finding> => {
  const { seenInState } = target;
  if (!seenInState || finding.verdict !== 'kept') return byAnswers(finding);
  await settle(target, newer, next);
  const [isNew, isLate] = [(await seenInState(newer)) > 0, (await seenInState(late)) > 0];
  if (isNew && isLate) return finding;
  if (isLate) return broken(`${finding.seen}, and the older value stands`, olderAdvice);
  return unseen(
    `${finding.seen}, and its state lacks ${isNew ? 'what came late' : 'both'}`,
    'It may have read the API, which has no such transaction. If it does not read it at a gap: keep a version for each element.',
  );
};

/** Early and late messages must be accepted. */
export const orderChecks: readonly Check[] = [
  {
    name: 'out-of-order',
    rule: 'It takes 1 → 2 before 0 → 1, and has what both changed.',
    run: async (target) => {
      const newer = target.letter({ range: { from: 1, to: 2 } });
      const late = lateLetter(target, newer.uuid, { from: 0, to: 1 });
      const finding = allTaken(await inOrder(target, [newer, late]), orderAdvice);
      return joined(target, { newer, late, next: { from: 2, to: 3 } }, finding);
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
    rule: 'It takes 3 → 5 after 0 → 1, and the missing 1 → 3 when it comes, and has what both changed.',
    run: async (target) => {
      const first = target.letter();
      const newer = target.letter({ uuid: first.uuid, range: { from: 3, to: 5 } });
      const late = lateLetter(target, first.uuid, { from: 1, to: 3 });
      const finding = allTaken(await inOrder(target, [first, newer, late]), orderAdvice);
      return joined(target, { newer, late, next: { from: 5, to: 6 } }, finding);
    },
  },
  {
    name: 'overlap',
    rule: 'It takes 1 → 3 after 0 → 2: what begins before the end of the last one joins.',
    run: async (target) => {
      const first = target.letter({ range: { from: 0, to: 2 } });
      const second = target.letter({ uuid: first.uuid, range: { from: 1, to: 3 } });
      const finding = allTaken(await inOrder(target, [first, second]), orderAdvice);
      if (!target.seenInState) return byAnswers(finding);
      if (finding.verdict !== 'kept' || (await showsSoon(target, second))) return finding;
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
      if (!target.seenInState) return byAnswers(finding);
      if (finding.verdict !== 'kept' || (await showsSoon(target, update))) return finding;
      return broken(
        `${finding.seen}, and the update was not applied`,
        'Do not move `known` by a TransactionCompleted: it comes at once, before the updates whose versions it names.',
      );
    },
  },
];
