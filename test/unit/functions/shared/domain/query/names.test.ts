import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readListQuery } from '../../../../../../functions/shared/domain/query/list-query.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

const known = [
  ...['page', 'per-page', 'after', 'fields', 'fields[]', 'fields[0]', 'expand', 'expand[]'],
  ...['filter', 'FILTER', 'filter[uuid]', 'filter[status]', 'filter[identifiers][ndstockid]', 'filter[nope]'],
];

/** What Unicode calls white space, invisible or a quotation mark, and what looks like one of these. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) =>
    /[\s\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Quotation_Mark}]/u.test(letter),
  )
  .concat('`', '´', '′', '″', '\u2800', '\ufffd', '\ufffe');

const scope = { kind: 'grants', grants: [] } as const;
const namesRefused = (name: string) => {
  const read = readListQuery({ [name]: ['0'] }, scope);
  return !read.ok && 'errors' in read ? read.errors.map(({ field }) => field) : [];
};

const noise = fc.array(fc.constantFrom(...unseen), { maxLength: 3 }).map((letters) => letters.join(''));
const before = fc.array(fc.oneof(noise, fc.constantFrom('amp;', '&amp;', 'AMP;')), { maxLength: 3 });
/** A known name, and the same with something unseen in any place outside of its brackets, or behind them. */
const disguised = fc
  .tuple(fc.constantFrom(...known), before, fc.array(noise, { minLength: 12, maxLength: 12 }), noise)
  .map(([name, start, within, end]) => {
    const [bare = '', ...brackets] = name.split(/(?=\[)/);
    const spread = [...bare].map((letter, at) => `${letter}${within[at]}`).join('');
    return { name, written: [...start, spread, ...brackets, end].join('') };
  })
  .filter(({ name, written }) => name !== written);

test('FLT-2 TH-04 a known name with anything unseen in it is refused by the name as it was written', () => {
  fc.assert(
    fc.property(disguised, ({ written }) => {
      expect(namesRefused(written)).toEqual([written]);
    }),
    propertyRun('disguised names', 2_000, 100_000),
  );
});

test('FLT-2 every character without a glyph, every white space and every quote is seen through', () => {
  expect(unseen.length).toBeGreaterThan(4_000);
  expect(unseen.filter((letter) => namesRefused(`${letter}page`).length === 0)).toEqual([]);
});

test.each([
  ...[
    'page',
    'per-page',
    'fields',
    'fields[]',
    'fields[ ]',
    'expand["0"]',
    'after',
    'sort',
    'utm_source',
    'x',
  ],
  ...[
    'my page',
    'page size',
    'pages',
    'xpage',
    'page.',
    'page-',
    '-page',
    'pa_ge',
    'amp',
    'amp;',
    'amp;x',
    'page;',
  ],
  ...[
    'pageamp;',
    'campamp;page',
    'amp;fieldset',
    '"x"',
    ' ',
    '',
    '\u200b',
    'myfilter',
    '*filter',
    'fields,',
    '[fields]',
  ],
  ...['Page', 'FIELDS', 'раge', 'ﬁelds', 'expánd', 'uuid', ' uuid', 'location', ' location', '"franchise"'],
])('FLT-2 the name %j is known or another, and taken', (name) => {
  expect(namesRefused(name)).toEqual([]);
});

test.each(['uuid', 'location', 'franchise'])('FLT-2 V1-3 a list of V1 knows %s, too', (name) => {
  const read = readListQuery({ [` ${name}`]: ['x'] }, { kind: 'session', session: 's' }, [
    'uuid',
    'location',
    'franchise',
  ]);

  expect(read).toMatchObject({ ok: false, errors: [{ field: ` ${name}` }] });
});
