import { expect, test } from '@jest/globals';
import { mergePatch, withoutRemovals } from '../../../../../../functions/shared/domain/transaction/change.ts';

/** RFC 7396, appendix A, all rows. */
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('V1-6 %s merged with %s is %s', (target, patch, expected) => {
  expect(JSON.stringify(mergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(expected);
});

test.each([
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"a":{"__proto__":{"polluted":1}}}',
])('S-37 %s is stored as data', (patch) => {
  const merged = mergePatch({}, JSON.parse(patch));

  expect(JSON.stringify(merged)).toBe(patch);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('null in a list is a value, not a removal', () => {
  expect(withoutRemovals({ a: [null, { b: null }], c: null })).toEqual({ a: [null, { b: null }] });
});
