import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../../bin/openapi/document.ts';
import { description, faultsAt, pointer } from '../../../support/openapi/description.ts';
import { valueAt } from '../../../support/openapi/operations.ts';

test('OA-1 docs/openapi.json is what the code makes: "npm run openapi" writes it', () => {
  expect(JSON.stringify(description)).toBe(JSON.stringify(openApiDocument()));
});

type Content = { [type: string]: { schema?: object; examples?: { [name: string]: { value: unknown } } } };

/** Every example of a body in the document, with the place of its schema. */
const examples = (value: unknown, place: string[] = []): [string, string, unknown][] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...place, name];
    return name === 'content' ? examplesIn(member as Content, here) : examples(member, here);
  });
};

const examplesIn = (content: Content, place: string[]) =>
  Object.entries(content).flatMap(([type, { examples: named = {} }]) =>
    Object.entries(named).map(([name, { value }]): [string, string, unknown] => [
      `${[...place.slice(0, -1), type].join(' ')}: ${name}`,
      pointer(...place, type, 'schema'),
      value,
    ]),
  );

describe('OA-2 every body of the document', () => {
  test('has an example', () => {
    const bodies = JSON.stringify(description).match(/"schema":\{[^{}]*\},"examples":\{"/g) ?? [];
    const withoutOne = Object.entries(description.components?.responses ?? {}).filter(
      ([, answer]) => 'content' in answer && examples(answer).length === 0,
    );

    expect(bodies.length).toBeGreaterThan(20);
    expect(withoutOne).toEqual([]);
  });

  test.each(examples(description))('%s is as its schema says', (_, place, value) => {
    expect(faultsAt(place, value)).toEqual([]);
  });
});

test('OA-2 says what the members of bodies are for, each where it stands', () => {
  const descriptionOf = (schema: string, member: string) =>
    valueAt(pointer('components', 'schemas', schema, 'properties', member))?.description;

  expect(descriptionOf('NewPayment', 'value')).toBe('The amount, with two decimals: `"199.00"`.');
  expect(descriptionOf('NewReplay', 'after')).toContain('send `next` as it is');
  expect(descriptionOf('TransactionChange', 'isDeleted')).toMatch(/^1 deletes it/);
  // The same schema of an amount stands elsewhere, too.
  expect(JSON.stringify(description).split('The amount, with two decimals')).toHaveLength(2);
});
