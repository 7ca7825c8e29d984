import { expect, test } from '@jest/globals';
import { readable } from '../../../../bin/docs/schema.ts';

const known = {
  Vehicle: { type: 'object', description: 'A vehicle.', properties: { make: { type: 'string' } } },
};

test.each([
  [
    'a choice of plain types is one type',
    {
      description: 'How far.',
      anyOf: [{ type: 'integer', format: 'int64', minimum: -9007199254740991 }, { type: 'null' }],
    },
    { description: 'How far.', type: ['integer', 'null'] },
  ],
  [
    'the bounds that say something stay',
    { type: 'integer', minimum: 1, maximum: 50 },
    { type: 'integer', minimum: 1, maximum: 50 },
  ],
  [
    'an object or null is the object, and what is said of it says so',
    { anyOf: [{ $ref: '#/components/schemas/Vehicle' }, { type: 'null' }] },
    { ...known.Vehicle, description: 'A vehicle. Null where there is none.' },
  ],
  [
    'what is said here already is not said again',
    {
      description: 'The vehicle, or null.',
      anyOf: [{ $ref: '#/components/schemas/Vehicle' }, { type: 'null' }],
    },
    { ...known.Vehicle, description: 'The vehicle, or null.' },
  ],
  [
    'two objects stay a choice',
    {
      anyOf: [
        { $ref: '#/components/schemas/Vehicle' },
        { type: 'object', description: 'Anything.' },
        { type: 'null' },
      ],
    },
    {
      description: 'A vehicle. Null where there is none.',
      anyOf: [known.Vehicle, { type: 'object', description: 'Anything.' }],
    },
  ],
  [
    'members and elements of lists are written so, too',
    {
      type: 'array',
      items: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    },
    { type: 'array', items: { type: 'object', properties: { a: { type: ['string', 'null'] } } } },
  ],
  [
    'a pattern that only keeps control characters out is left out',
    { type: 'string', pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', maxLength: 9 },
    { type: 'string', maxLength: 9 },
  ],
])('DOC-13 %s', (_, schema, shown) => {
  expect(readable(schema, known)).toEqual(shown);
});
