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
    [{ eventName: [{ prefix: 'MOD' }] }, true],
    [{ eventName: [{ prefix: 'mod' }] }, false],
    [{ eventName: [{ prefix: { 'equals-ignore-case': 'mod' } }] }, true],
    [{ eventName: [{ suffix: 'IFY' }] }, true],
    [{ eventName: [{ 'equals-ignore-case': 'modify' }] }, true],
    [{ eventName: [{ wildcard: 'M*F*' }] }, true],
    [{ eventName: [{ wildcard: 'M.*' }] }, false],
    [{ eventName: [{ 'anything-but': 'REMOVE' }] }, true],
    [{ eventName: [{ 'anything-but': ['REMOVE', 'MODIFY'] }] }, false],
    [{ eventName: [{ 'anything-but': { prefix: 'MOD' } }] }, false],
    [{ absent: [{ 'anything-but': 'REMOVE' }] }, false],
    [newImage({ version: { N: ['3'] } }), true],
    [newImage({ version: { N: [3] } }), false],
    [newImage({ version: { N: [{ exists: true }] } }), true],
    [newImage({ absent: { N: [{ exists: true }] } }), false],
    [newImage({ absent: { N: [{ exists: false }] } }), true],
    [{ absent: { deeper: [{ exists: false }] } }, true],
    [newImage({ version: [{ exists: true }] }), false],
    [newImage({ tags: { SS: ['b'] } }), true],
    [newImage({ tags: { SS: ['c'] } }), false],
    [{ size: [{ numeric: ['>', 6, '<=', 7] }] }, true],
    [{ size: [{ numeric: ['>', 7] }] }, false],
    [{ size: [{ numeric: ['=', 7] }] }, true],
    [{ size: [{ numeric: ['>=', 7, '<', 7] }] }, false],
    [newImage({ version: { N: [{ numeric: ['>', 0] }] } }), false],
    [{ isTest: [false] }, true],
    [{ nothing: [null] }, true],
    [{ nothing: [{ exists: true }] }, true],
    [{ none: [{ exists: false }] }, true],
    [{ lines: { sku: ['y'] } }, true],
    [{ lines: { sku: ['z'] } }, false],
    [{ $or: [{ size: [1] }, { eventName: ['MODIFY'] }] }, true],
    [{ $or: [{ size: [1] }, { eventName: ['INSERT'] }] }, false],
  ])('%j: %s', (pattern, expected) => {
    expect(createPattern(pattern)(record)).toBe(expected);
  });

  test.each([
    [
      { source: [{ cidr: '10.0.0.0/24' }] },
      'The local stage does not know {"cidr":"10.0.0.0/24"} in an event pattern.',
    ],
    [
      { source: [{ prefix: 'a', suffix: 'b' }] },
      'The local stage does not know {"prefix":"a","suffix":"b"} in an event pattern.',
    ],
    [{ size: [{ numeric: ['~', 1] }] }, 'The local stage does not know "numeric" with "~".'],
    [{ source: 'svc' }, 'An event pattern is an object, not "svc".'],
  ])('%j is refused when it is read', (pattern, sentence) => {
    expect(() => createPattern(pattern)).toThrow(sentence);
  });
});
