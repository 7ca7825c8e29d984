import { expect, test } from '@jest/globals';
import { readable } from '../../../../bin/docs/schema.ts';

const known = {
  Vehicle: { type: 'object', description: 'A vehicle.', properties: { make: { type: 'string' } } },
};
const none = { type: 'null' };
const vehicle = { $ref: '#/components/schemas/Vehicle' };
const anything = { type: 'object', description: 'Anything.' };
const objectWith = (a: object) => ({ type: 'object', properties: { a } });
const longest = { type: 'string', maxLength: 9 };
const bounded = { type: 'integer', minimum: 1, maximum: 50 };
const whole = { type: 'integer', format: 'int64', minimum: -9007199254740991 };
const ofVehicle = 'A vehicle. Null where there is none.';

test.each([
  [
    'a choice of plain types is one type',
    { description: 'How far.', anyOf: [whole, none] },
    { description: 'How far.', type: ['integer', 'null'] },
  ],
  ['the bounds that say something stay', bounded, bounded],
  [
    'an object or null is the object, and what is said of it says so',
    { anyOf: [vehicle, none] },
    { ...known.Vehicle, description: ofVehicle },
  ],
  [
    'what is said here already is not said again',
    { description: 'The vehicle, or null.', anyOf: [vehicle, none] },
    { ...known.Vehicle, description: 'The vehicle, or null.' },
  ],
  [
    'two objects stay a choice',
    { anyOf: [vehicle, anything, none] },
    { description: ofVehicle, anyOf: [known.Vehicle, anything] },
  ],
  [
    'members and elements of lists are written so, too',
    { type: 'array', items: objectWith({ anyOf: [{ type: 'string' }, none] }) },
    { type: 'array', items: objectWith({ type: ['string', 'null'] }) },
  ],
  [
    'a pattern that only keeps control characters out is left out',
    { ...longest, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    longest,
  ],
])('DOC-13 %s', (_, schema, shown) => {
  expect(readable(schema, known)).toEqual(shown);
});
