import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { callAnonymously } from './anonymous-calls.ts';
import { callDearly } from './dearest-calls.ts';
import { onEngine, print } from './measuring.ts';

/** Calls V1 without credentials in every way there is: what that costs, and what is left then and after 31 days. */
export const run = async ({ calls }: { calls: number }) => {
  await onEngine(async ({ documents }) => {
    const { kinds, afterCalls, afterSweep, drift } = await callAnonymously(documents, { calls });
    print(
      ['call', 'calls', 'answers', 'WCU a call', 'RCU a call'],
      kinds.map(({ name, calls: count, answers, write, read }) => [
        ...[name, count],
        answersText(answers),
        ...[(write / count).toFixed(2), (read / count).toFixed(2)],
      ]),
    );
    print(
      ['left', ...Object.keys(afterCalls)],
      Object.entries({ 'after the calls': afterCalls, '31 days later': afterSweep }).map(([when, left]) => [
        when,
        ...Object.values(left),
      ]),
    );
    const sum = kinds.reduce((all, { write }) => all + write, 0);
    console.log(`${calls} calls: ${sum} write units; the listing differs in ${drift} places`);
  });
  for (const atOnce of [1, 20]) await onEngine(({ documents }) => printDearest(documents, atOnce));
};

/** The dearest calls of a session (S-86), alone and twenty at once on one transaction. */
const printDearest = async (documents: DynamoDBDocumentClient, atOnce: number) => {
  const dearest = await callDearly(documents, { atOnce, rounds: 10 });
  print(
    [`${atOnce} at once`, 'answers', 'tries', 'WCU a call', 'RCU a call', 'bytes', 'ms'],
    dearest.map(({ name, answers, tries, write, read, bytes, milliseconds }) => [
      ...[name, answersText(answers), tries.toFixed(1), write.toFixed(0), read.toFixed(0)],
      ...[bytes.toFixed(0), milliseconds.toFixed(0)],
    ]),
  );
};

const answersText = (answers: Record<number, number>) =>
  Object.entries(answers)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ');
