import fc from 'fast-check';
import { valueAt } from '../../support/openapi/operations.ts';
import { expectationOf, type Pairs } from './expectation.ts';
import type { Described } from './parameters.ts';

/** A query and how it is written: there are several ways to write a bracket and a space. */
export type Query = { pairs: Pairs; written: string };

type Pair = readonly [name: string, value: string];

/** Of all queries about half are sound. */
export const queriesOf = (described: readonly Described[]): fc.Arbitrary<Query> =>
  fc
    .oneof({ weight: 2, arbitrary: soundPairs(described) }, { weight: 3, arbitrary: anyPairs(described) })
    .chain((pairs) =>
      fc
        .tuple(...pairs.map(() => writing))
        .map((ways) => ({ pairs, written: pairs.map((pair, at) => writtenAs(ways[at], pair)).join('&') })),
    )
    .filter(({ written }) => written.length <= mostBytes);

/** Well below what the gateway takes of a request line. */
const mostBytes = 8_000;

/** Each described parameter at most once, with a value of its schema, and unknown parameters. */
const soundPairs = (described: readonly Described[]): fc.Arbitrary<Pair[]> => {
  const known = fc.shuffledSubarray([...described]).chain((some) => fc.tuple(...some.map(soundPair)));
  return fc
    .tuple(known, fc.array(strangePair, { maxLength: 2 }))
    .map(([pairs, others]): Pair[] => [...pairs, ...others])
    .filter((pairs) => expectationOf(described, pairs).comes === 'answer');
};

/** Values of any kind, names that are nearly right, and everything as often as one likes. */
const anyPairs = (described: readonly Described[]): fc.Arbitrary<Pair[]> => {
  const filters = described.filter(({ name }) => name.includes('['));
  const one = fc.constantFrom(...described, ...filters, ...filters);
  const pair = fc.oneof(
    { weight: 4, arbitrary: one.chain(soundPair) },
    { weight: 4, arbitrary: one.chain(doubtfulPair) },
    { weight: 2, arbitrary: fc.tuple(one.chain(nearlyRight), doubtfulText) },
    { weight: 1, arbitrary: strangePair },
  );
  const many = fc
    .tuple(pair, fc.integer({ min: 99, max: 102 }))
    .map(([same, times]) => Array(times).fill(same));
  return fc.oneof(
    { weight: 30, arbitrary: fc.array(pair, { minLength: 1, maxLength: 6 }) },
    { weight: 3, arbitrary: many },
  );
};

const soundPair = ({ name, place }: Described): fc.Arbitrary<Pair> =>
  fc.tuple(fc.constant(name), soundValue(place));

/** A value that the schema admits, as the text of a query. */
const soundValue = (place: string): fc.Arbitrary<string> => {
  const schema = valueAt(place) as Schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum, max: schema.maximum }).map((number) => String(number));
  if (schema.pattern !== undefined)
    return fc
      .stringMatching(new RegExp(schema.pattern))
      .filter(({ length }) => length <= (schema.maxLength ?? length));
  return fc.string({ unit: 'binary', minLength: schema.minLength ?? 0, maxLength: 40 });
};

type Schema = {
  type?: string;
  enum?: string[];
  pattern?: string;
  minimum: number;
  maximum: number;
  minLength?: number;
  maxLength?: number;
};

/** Nearly the value, or nothing like it. */
const doubtfulPair = (described: Described): fc.Arbitrary<Pair> =>
  fc.tuple(
    fc.constant(described.name),
    fc.oneof(
      doubtfulText,
      fc
        .tuple(soundValue(described.place), fc.constantFrom(...spoilings))
        .map(([value, spoiled]) => spoiled(value).toWellFormed()),
    ),
  );

const doubtfulText = fc.oneof(
  fc.constantFrom('', ' ', '0', '-1', '1e9', 'null', '[]', '*', '\0', '1,0', '\ufeff', '9'.repeat(400)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 500, maxLength: 600 }),
);

const spoilings = [
  (value: string) => `${value} `,
  (value: string) => ` ${value}`,
  (value: string) => `${value},${value}`,
  (value: string) => value.toUpperCase(),
  (value: string) => value.slice(1),
  (value: string) => value.slice(0, -1),
  (value: string) => `"${value}"`,
];

/** Names that a program writes which nests, repeats or encodes otherwise than described. */
const nearlyRight = ({ name }: Described): fc.Arbitrary<string> => {
  const [root = name, ...inner] = name.replaceAll(']', '').split('[');
  return fc.constantFrom(
    ...[`${name}[]`, `${name}[0]`, `${name}[a][b][c]`, `${name} `, ` ${name}`, name.slice(0, -1)],
    ...[`amp;${name}`, `\ufeff${name}`, `"${name}"`, `${root}\u200b${name.slice(root.length)}`],
    ...[root, root.toUpperCase(), `${root}[]`, `${root}[unknown]`, `${root}[__proto__]`, `${root}[${root}]`],
    ...[[root, ...inner].join('.'), [root, ...inner].join('['), `${root}[[${inner.join('][')}]]`],
    ...[name.toUpperCase(), encodeURIComponent(name), `${root}[${inner.toReversed().join('][')}]`],
  );
};

/** Parameters that no operation describes. */
const strangePair: fc.Arbitrary<Pair> = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'sort',
      'expand[]',
      'fields[]',
      'fields[0]',
      '__proto__',
      'constructor',
      '[]',
      ']',
      'a[b',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const brackets = {
  '[': (bracket: string) => decodeURIComponent(bracket),
  '%5B': (bracket: string) => bracket,
  '%5b': (bracket: string) => bracket.toLowerCase(),
};

type Writing = { bracket: keyof typeof brackets; space: '+' | '%20' };

const writing: fc.Arbitrary<Writing> = fc.record({
  bracket: fc.constantFrom('[', '%5B', '%5b'),
  space: fc.constantFrom('+', '%20'),
});

const writtenAs = (way: Writing | undefined, pair: Pair): string =>
  pair
    .map((text) => encodeURIComponent(text).replaceAll('%20', way?.space ?? '+'))
    .map((text) => text.replaceAll(/%5[BD]/g, (bracket) => brackets[way?.bracket ?? '%5B'](bracket)))
    .join('=');
