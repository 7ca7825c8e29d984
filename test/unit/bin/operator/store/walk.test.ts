import { BatchGetCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createTransactionWalk } from '../../../../../bin/operator/store/transactions/walk.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { toItem } from '../../../../../functions/shared/store/transactions/item.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';

type Items = Record<string, unknown>[];
type Page = { Items: Items; LastEvaluatedKey?: { uuid: string } };

const storedAt = (sequenceNumber: number, isDeleted: 0 | 1): StoredTransaction => ({
  ...aNewTransaction({ uuid: uuidOf(sequenceNumber), isDeleted }),
  sequenceNumber,
});

const place = (sequenceNumber: number) => ({ uuid: uuidOf(sequenceNumber), sequenceNumber });

const throttled = () => Object.assign(new Error('later'), { name: 'ThrottlingException' });

/** A table that answers a scan with these, one after the other, and holds these transactions by the time they are read. */
const aTable = (answers: (Page | Error)[], holds: StoredTransaction[]) => {
  const items = new Map(holds.map((stored) => [stored.transaction.uuid, toItem(stored)]));
  const scans: unknown[] = [];
  const send = async (command: unknown) => {
    if (command instanceof BatchGetCommand) {
      const keys = command.input.RequestItems?.T?.Keys ?? [];
      return { Responses: { T: keys.flatMap(({ uuid }) => items.get(uuid) ?? []).reverse() } };
    }
    const answer = answers.shift();
    if (!(command instanceof ScanCommand) || answer === undefined || answer instanceof Error)
      throw answer ?? new TypeError('not expected');
    scans.push(command.input.ExclusiveStartKey);
    return answer;
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const retryDelays = { random: () => 0.5, sleep: async () => {} };
  const walk = createTransactionWalk({
    ...{ documents, retryDelays },
    ...{ transactionsTable: 'T', listingTable: 'L' },
  });
  return { walk, scans };
};

const take = async (all: AsyncIterable<StoredTransaction>) => {
  const found: unknown[] = [];
  for await (const { sequenceNumber, transaction } of all)
    found.push([sequenceNumber, transaction.isDeleted]);
  return found;
};

test('RUN-4 with deleted ones, every page of the table is read, and all come in the order of creation', async () => {
  const first: Page = { Items: [place(4), place(1)], LastEvaluatedKey: { uuid: uuidOf(1) } };
  const { walk, scans } = aTable(
    [first, throttled(), { Items: [place(3), place(2)] }],
    [storedAt(1, 0), storedAt(2, 1), storedAt(3, 0), storedAt(4, 1)],
  );
  const counts: number[] = [];

  const found = await take(walk.withDeleted((count) => counts.push(count)));

  expect(found).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 1],
  ]);
  expect(scans).toEqual([undefined, { uuid: uuidOf(1) }]);
  expect(counts).toEqual([2, 4]);
});
