import fc from 'fast-check';

/** Every code point but the halves of surrogate pairs. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));

/** As `unit: 'binary'` of fast-check, which makes a table of a million characters first: a second or two a file. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ unit: anyCharacter, ...lengths });
