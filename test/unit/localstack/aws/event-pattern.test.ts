import { describe, expect, test } from '@jest/globals';
import { createPattern } from '../../../../localstack/aws/event-pattern.ts';

const record = {
  eventName: 'MODIFY',
  dynamodb: {
    Keys: { uuid: { S: 'u-1' } },
    NewImage: { version: { N: '3' }, status: { S: 'Open' }, tags: { SS: ['a', 'b'] } },
  },
  size: 7,
  isTest: false,
  nothing: null,
  none: [],
  lines: [{ sku: 'x' }, { sku: 'y' }],
};

const newImage = (members: object) => ({ dynamodb: { NewImage: members } });

describe('event patterns', () => {
  test.each([
    [{}, true],
    [{ eventName: ['INSERT', 'MODIFY'] }, true],
    [{ eventName: ['INSERT', 'REMOVE'] }, false],
    [{ eventName: ['MODIFY'], size: [8] }, false],
    [newImage({ version: { N: ['3'] } }), true],
    [newImage({ version: { N: [3] } }), false],
    [newImage({ tags: { SS: ['b'] } }), true],
    [newImage({ tags: { SS: ['c'] } }), false],
    [{ isTest: [false] }, true],
    [{ nothing: [null] }, true],
    [{ absent: [null] }, false],
    [{ none: [null] }, false],
    [{ lines: { sku: ['y'] } }, true],
    [{ lines: { sku: ['z'] } }, false],
  ])('%j: %s', (pattern, expected) => {
    expect(createPattern(pattern)(record)).toBe(expected);
  });

  test.each([
    [
      { source: [{ cidr: '10.0.0.0/24' }] },
      'The local stage does not know {"cidr":"10.0.0.0/24"} in an event pattern.',
    ],
    [
      { source: ['svc', { prefix: 'a' }] },
      'The local stage does not know {"prefix":"a"} in an event pattern.',
    ],
    [
      { detail: { to: [{ exists: true }] } },
      'The local stage does not know {"exists":true} in an event pattern.',
    ],
    [{ $or: [{ size: [1] }] }, 'The local stage does not know "$or" in an event pattern.'],
    [{ source: 'svc' }, 'An event pattern is an object, not "svc".'],
  ])('%j is refused when it is read', (pattern, sentence) => {
    expect(() => createPattern(pattern)).toThrow(sentence);
  });
});
