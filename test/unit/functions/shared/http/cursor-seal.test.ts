import { expect, test } from '@jest/globals';
import { cursorSealOf } from '../../../../../functions/shared/http/cursor-seal.ts';
import { createMemoryCursorKeys } from '../../../../support/memory/cursor-keys.ts';

const aSeal = (clientId = 'A', cursorKeys = createMemoryCursorKeys()) =>
  cursorSealOf(clientId, { cursorKeys, clock: () => new Date(0) });
const about = ['events', null];

test('LINK-5 V2-7 a cursor is sealed the same each time, and opens with its own partner, filter and kind', async () => {
  const seal = aSeal();
  const cursor = await seal.close('1.a', about);

  expect(await seal.close('1.a', about)).toBe(cursor);
  expect(await seal.open(cursor, about)).toBe('1.a');
  expect(cursor).toHaveLength(144);
});

test('S-03 LINK-5 V2-7 a cursor opens for no other partner, filter or kind, and not after any change', async () => {
  const cursorKeys = createMemoryCursorKeys();
  const seal = aSeal('A', cursorKeys);
  const cursor = await seal.close('1.a', about);
  const changed = Array.from(cursor, (letter, at) => {
    const other = letter === 'A' ? 'B' : 'A';
    return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
  });

  expect(await aSeal('B', cursorKeys).open(cursor, about)).toBeUndefined();
  expect(await seal.open(cursor, ['events', 'sent'])).toBeUndefined();
  expect(await seal.open(cursor, ['replay', null])).toBeUndefined();
  for (const text of ['', 'none', `${cursor}=`, `${cursor}A`, ` ${cursor}`, ...changed])
    expect(await seal.open(text, about)).toBeUndefined();
});
