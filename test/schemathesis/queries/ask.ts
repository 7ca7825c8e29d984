import fc from 'fast-check';
import { propertyRun } from '../../support/builders/property-run.ts';
import { type Exchange, judge } from '../../support/openapi/exchange.ts';
import type { Operation } from '../../support/openapi/operations.ts';
import { type Expectation, expectationOf, type Pairs } from './expectation.ts';
import { type Query, queriesOf } from './generator.ts';
import { queryOf } from './parameters.ts';

/** Sends a query to an operation, with what its callers send beside it. */
export type Send = (operation: Operation, query: string) => Promise<Exchange>;

/** The number of queries, and their expected results. */
export type Counts = { answer: number; refusal: number; 'too-much': number };

/** Asks an operation random queries; the smallest that is not answered as described is thrown. */
export const askQueries = async (operation: Operation, send: Send, cases = 200): Promise<Counts> => {
  const described = queryOf(operation);
  const counts: Counts = { answer: 0, refusal: 0, 'too-much': 0 };
  await fc.assert(
    fc.asyncProperty(queriesOf(described), async ({ pairs, written }: Query) => {
      const expected = expectationOf(described, pairs);
      counts[expected.comes] += 1;
      const exchange = await send(operation, written);
      // The checks of Schemathesis: no fault, answers as described, valid requests accepted, invalid ones refused.
      const findings = [...judge(exchange).findings, ...unexpected(expected, exchange, pairs)];
      if (findings.length > 0) throw new Error(`${operation.path}?${written}\n${findings.join('\n')}`);
    }),
    propertyRun(`queries of ${operation.id}`, cases),
  );
  return counts;
};

const unexpected = (expected: Expectation, { answer }: Exchange, pairs: Pairs): string[] => {
  const { status, text } = answer;
  if (status >= 500) return [`a fault of the service, ${status}`];
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
