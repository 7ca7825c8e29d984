import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pointer } from '../../../support/openapi/description.ts';
import { meantBy, type Operation, operations, valueAt, within } from '../../../support/openapi/operations.ts';
import { root } from '../../../support/repository.ts';

const bounds = ['maxLength', 'pattern', 'enum', 'const', 'format'];
/** Members that hold values, not schemas. */
const values = ['example', 'examples', 'default'];

/** Texts below a schema that nothing bounds, by their place. */
const unbounded = (place: string, seen: readonly string[] = []): string[] => {
  const at = meantBy(place);
  const schema = valueAt(at);
  if (seen.includes(at) || typeof schema !== 'object') return [];
  const isText = [schema.type].flat().includes('string');
  const isBounded = bounds.some((name) => name in schema);
  const below = Object.keys(schema).filter((name) => !values.includes(name));
  return [
    ...(isText && !isBounded ? [at] : []),
    ...below.flatMap((name) => unbounded(at + pointer(name).slice(1), [...seen, at])),
  ];
};

/** The schemas of what a caller sends with an operation. */
const sentBy = ({ place }: Operation): string[] => {
  const parameters = Object.keys(valueAt(`${place}/parameters`) ?? {}).map((index) =>
    within(place, 'parameters', index, 'schema'),
  );
  const content = within(place, 'requestBody', 'content');
  const bodies = Object.keys((content && valueAt(content)) ?? {}).map((type) =>
    within(place, 'requestBody', 'content', type, 'schema'),
  );
  return [...parameters, ...bodies].filter((found) => found !== undefined);
};

test('OA-5 every text from a caller has a bound: a length, a pattern, a format or a list of values', () => {
  const sent = operations.flatMap(sentBy);

  expect(sent.length).toBeGreaterThan(40);
  expect(sent.flatMap((schema) => unbounded(schema))).toEqual([]);
});

test('OA-5 every operation with a token has 401, and every one with input says how it refuses it', () => {
  const silent = operations.flatMap((operation) => {
    const { security, responses } = valueAt(operation.place) as { security?: unknown[]; responses: object };
    if (security?.length === 0) return [];
    const says = (...statuses: string[]) => statuses.some((status) => status in responses);
    const takes = sentBy(operation).length > 0;
    return [
      ...(says('401') ? [] : [`${operation.id}: 401`]),
      ...(takes && !says('400', '404', '422') ? [`${operation.id}: 400, 404 or 422`] : []),
    ];
  });

  expect(silent).toEqual([]);
});

test('OA-9 no pattern of the committed document has a \\u, which PHP does not support', () => {
  const patterns: string[] = [];
  JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'), (name, value) => {
    if (name === 'pattern' && typeof value === 'string') patterns.push(value);
    return value;
  });

  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => pattern.includes(String.raw`\u`))).toEqual([]);
});
