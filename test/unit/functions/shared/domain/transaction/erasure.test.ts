import { expect, test } from '@jest/globals';
import { lineSchema } from '../../../../../../bin/operator/import/import-schema.ts';
import { erasedState, mentions } from '../../../../../../functions/shared/domain/transaction/erasure.ts';
import type { Transaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { canariesOf } from '../../../../../support/builders/canaries.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../../support/builders/transactions.ts';

/** Every member that takes a text, apart from whose the transaction is. */
const { planted } = canariesOf('erasure');
const contents = planted(lineSchema.omit({ uuid: true, ndMeta: true }));
const canaries = JSON.stringify(contents).match(/[0-9a-f]{40}/g) ?? [];

test('S-82 an erased transaction keeps no text that a caller or an import may write', () => {
  const written = { ...contents, uuid: uuidOf(1), ndMeta: anOwner() } as unknown as Transaction;

  const left = JSON.stringify(erasedState({ ...aNewTransaction(written), sequenceNumber: 1 }, 1));

  expect(canaries.length).toBeGreaterThan(30);
  expect(canaries.filter((canary) => left.includes(canary))).toEqual([]);
});

test('S-88 an erased transaction keeps no session, only the fact that a session began it', () => {
  const erasedOf = (facts: object) =>
    erasedState({ ...aNewTransaction({}, facts), sequenceNumber: 1 }, Date.parse('2026-11-21T12:00:00Z'));
  const [checkout, imported] = [erasedOf({ session: 'user-x' }), erasedOf({})];

  expect([Object.hasOwn(checkout, 'session'), JSON.stringify(checkout).includes('user-x')]).toEqual([
    ...[false, false],
  ]);
  expect([checkout.isErasedCheckout, imported.isErasedCheckout]).toEqual([true, undefined]);
});

test('S-82 an erasure is the last change of its transaction, even on a clock that is behind', () => {
  const stored = { ...aNewTransaction({}, { updatedAtMs: 500 }), sequenceNumber: 1 };

  expect([500, 900].map((nowMs) => erasedState(stored, nowMs).updatedAtMs)).toEqual([501, 900]);
});

test('S-82 an address is found in every member that a caller or an import may write', () => {
  const missed = canaries.filter(
    (canary) =>
      !mentions(JSON.parse(JSON.stringify(contents).replace(canary, 'ann@b.example')), 'ann@b.example'),
  );

  expect(missed).toEqual([]);
});
