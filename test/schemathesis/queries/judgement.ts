import { type Exchange, judge } from '../../support/openapi/exchange.ts';
import type { Operation } from '../../support/openapi/operations.ts';
import { type Expectation, expectationOf, type Pairs } from './expectation.ts';
import { queryOf } from './parameters.ts';

/**
 * The checks of Schemathesis: no fault of the service, answers as described, valid requests accepted, invalid ones
 * refused.
 */
export const findingsOf = (operation: Operation, pairs: Pairs, exchange: Exchange): string[] => {
  const { status, text } = exchange.answer;
  const expected = expectationOf(queryOf(operation), pairs);
  return [
    ...(status >= 500 ? [`a fault of the service, ${status}`] : []),
    ...judge(exchange).findings,
    ...unexpected(expected, { status, text, pairs }),
  ];
};

type Answered = { status: number; text: string; pairs: Pairs };

const unexpected = (expected: Expectation, { status, text, pairs }: Answered): string[] => {
  if (expected.comes === 'too-much')
    return status === 400 ? [] : [`too much is asked, and answered ${status}`];
  if (expected.comes === 'answer') {
    const isThere = status === 200 || (status === 404 && isForOne(pairs));
    return isThere ? [] : [`sound, and answered ${status}: ${text}`];
  }
  if (status !== 422) return [`at fault are ${expected.naming.join(', ')}, and the answer is ${status}`];
  const named = fieldsOf(text);
  return isSame(named, expected.naming)
    ? []
    : [`at fault are ${JSON.stringify(expected.naming)}, and named ${JSON.stringify(named)}`];
};

/** V1-2: one transaction of the session, which need not have it. */
const isForOne = (pairs: Pairs) => pairs.some(([name]) => name === 'uuid' || name.startsWith('uuid['));

const fieldsOf = (text: string): string[] =>
  (JSON.parse(text) as { errors: { field: string }[] }).errors.map(({ field }) => field);

const isSame = (some: readonly string[], others: readonly string[]) =>
  JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
