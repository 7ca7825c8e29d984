import fc from 'fast-check';
import { propertyRun } from '../../support/builders/property-run.ts';
import type { Exchange } from '../../support/openapi/exchange.ts';
import type { Operation } from '../../support/openapi/operations.ts';
import { expectationOf } from './expectation.ts';
import { type Query, queriesOf } from './generator.ts';
import { findingsOf } from './judgement.ts';
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
      counts[expectationOf(described, pairs).comes] += 1;
      const findings = findingsOf(operation, pairs, await send(operation, written));
      if (findings.length > 0) throw new Error(`${operation.path}?${written}\n${findings.join('\n')}`);
    }),
    propertyRun(`queries of ${operation.id}`, cases),
  );
  return counts;
};
