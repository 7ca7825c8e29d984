import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { pagesOf } from '../../../../../../functions/shared/store/dynamodb/pages.ts';

type Page = { Items?: { n: number }[]; LastEvaluatedKey?: { n: number } };

/** An engine that answers, or throws, these one after the other, and notes where each read began. */
const anEngine = (answers: (Page | Error)[]) => {
  const starts: unknown[] = [];
  const waits: number[] = [];
  const send = async ({ input }: { input: { ExclusiveStartKey?: unknown } }) => {
    starts.push(input.ExclusiveStartKey);
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new TypeError('asked too often');
    return answer;
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const retryDelays = { random: () => 0.5, sleep: async (milliseconds: number) => waits.push(milliseconds) };
  return { pages: pagesOf({ documents, retryDelays }, { TableName: 'Listing' }), starts, waits };
};

const take = async (pages: AsyncIterable<Record<string, unknown>[]>, most = Number.POSITIVE_INFINITY) => {
  const found: unknown[] = [];
  for await (const page of pages) {
    found.push(...page.map(({ n }) => n));
    if (found.length >= most) break;
  }
  return found;
};

const named = (name: string) => Object.assign(new Error(name), { name });

test('STO-1 a Query is read to its end, each page from the end of the one before', async () => {
  const { pages, starts } = anEngine([
    { Items: [{ n: 1 }, { n: 2 }], LastEvaluatedKey: { n: 2 } },
    { LastEvaluatedKey: { n: 4 } },
    { Items: [{ n: 5 }] },
  ]);

  expect(await take(pages)).toEqual([1, 2, 5]);
  expect(starts).toEqual([undefined, { n: 2 }, { n: 4 }]);
});

test('STO-1 no page is read that is not consumed', async () => {
  const { pages, starts } = anEngine([{ Items: [{ n: 1 }], LastEvaluatedKey: { n: 1 } }]);

  expect(await take(pages, 1)).toEqual([1]);
  expect(starts).toHaveLength(1);
});

test('STO-2 a page that is declined temporarily is requested again, from the same place', async () => {
  const { pages, starts, waits } = anEngine([
    { Items: [{ n: 1 }], LastEvaluatedKey: { n: 1 } },
    named('ThrottlingException'),
    named('ProvisionedThroughputExceededException'),
    { Items: [{ n: 2 }] },
  ]);

  expect(await take(pages)).toEqual([1, 2]);
  expect(starts).toEqual([undefined, { n: 1 }, { n: 1 }, { n: 1 }]);
  expect(waits).toEqual([12.5, 25]);
});
