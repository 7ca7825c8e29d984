import { expect, test } from '@jest/globals';
import {
  hasCheckCharacters,
  isTransactionUuid,
  makeTransactionUuid,
} from '../../../../../../functions/shared/domain/transaction/transaction-uuid.ts';

const made = makeTransactionUuid(new Uint8Array(16).fill(0xff));

test('ID-1: a uuid is a version 4 UUID, a hyphen and four check characters', () => {
  expect(made).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff-cv3a');
  expect(isTransactionUuid(made)).toBe(true);
});

test('ID-1: check characters fit only their own UUID', () => {
  expect(hasCheckCharacters(made)).toBe(true);
  expect(hasCheckCharacters(made.replace(/^f/, 'e'))).toBe(false);
  expect(hasCheckCharacters(made.toUpperCase())).toBe(false);
});

test.each([
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b-9xyZ', true],
  ['0B6F5A1E-7C3D-1E2F-9A8B-1C2D3E4F5A6B-1', true],
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b', false],
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b-', false],
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b-12345678901234567', false],
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b-a_b', false],
  ['0b6f5a1e-7c3d-4e2f-9a8b-1c2d3e4f5a6b-ab\n', false],
  ['', false],
])('ID-1: %j keeps its own suffix: %s', (text, accepted) => {
  expect(isTransactionUuid(text)).toBe(accepted);
});
