import { describe, expect, test } from '@jest/globals';
import { queryMaps } from '../../../../localstack/apigateway/query.ts';

const multi = (raw: string) => queryMaps(raw).multiValueQueryStringParameters;

describe('query maps of proxy events (QS-1)', () => {
  test.each([
    ['a=1&b=2', { a: ['1'], b: ['2'] }],
    ['a=1&b=2&a=3', { a: ['1', '3'], b: ['2'] }],
    ['a=b+c&d=e%20f&g=%2B', { a: ['b c'], d: ['e f'], g: ['+'] }],
    ['filter%5Bstatus%5D=1&filter[uuid]=x', { 'filter[status]': ['1'], 'filter[uuid]': ['x'] }],
    ['a&b=&=c', { a: [''], b: [''], '': ['c'] }],
    ['a=b=c', { a: ['b=c'] }],
    ['a=%2525', { a: ['%25'] }],
    ['&&a=1&', { a: ['1'] }],
    ['a=%zz&%=1', { a: ['%zz'], '%': ['1'] }],
    ['a=%FF%FE&%FFb=%C3%A9%FF%zz+c', { a: ['\ufffd\ufffd'], '\ufffdb': ['é\ufffd%zz c'] }],
    ['a=%ED%A0%80&b=%C3', { a: ['\ufffd\ufffd\ufffd'], b: ['\ufffd'] }],
    ['?a=1&b=?', { '?a': ['1'], b: ['?'] }],
    ['a=%C3%A9&b=%F0%9F%9A%97', { a: ['é'], b: ['🚗'] }],
  ])('%s is split on & and decoded once', (raw, expected) => {
    expect(multi(raw)).toEqual(expected);
  });

  test.each(['a=%FF%FE', 'a=%C3%A9%FF%zz', '%FF=%', 'a=%25FF', 'a=%00%EF%BB%BFx', 'a=%2B+%20'])(
    'LINK-3 %s, repeated in form encoding, is the same parameters',
    (raw) => {
      const pairs = Object.entries(multi(raw) ?? {}).map(([name, [value = '']]): [string, string] => [
        name,
        value,
      ]);

      expect(multi(String(new URLSearchParams(pairs)))).toEqual(multi(raw));
    },
  );

  test('the single-value map keeps the last of a repeated name, in the order of the caller; none is null', () => {
    const { queryStringParameters } = queryMaps('zebra=1&apple=2&zebra=3');

    expect(Object.entries(queryStringParameters ?? {})).toEqual([
      ['zebra', '3'],
      ['apple', '2'],
    ]);
    expect(queryMaps('')).toEqual({ multiValueQueryStringParameters: null, queryStringParameters: null });
  });

  test('prototype names are ordinary names, also after the way through JSON', () => {
    const sent = JSON.parse(JSON.stringify(multi('__proto__=1&constructor=2')));

    expect(Object.entries(sent)).toEqual([
      ['__proto__', ['1']],
      ['constructor', ['2']],
    ]);
  });
});
