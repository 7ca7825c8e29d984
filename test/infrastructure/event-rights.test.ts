import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { rightsOf as rightsIn } from '../support/engine/rights.ts';
import { templatesOf } from '../support/engine/stacks.ts';

/** What every function may do. */
const always = [
  '* xray:PutTelemetryRecords',
  '* xray:PutTraceSegments',
  'its own log logs:CreateLogStream',
  'its own log logs:PutLogEvents',
];
const receives = (queue: string) =>
  ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `${queue} sqs:${action}`);
const names = ['capture-change', 'publish-dormant', 'reconcile', 'collect-dead-letters'];

describe.each(stageNames)('S-50 S-66 the rights of way 2 in stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const rightsOf = (name: string) => rightsIn(service, name).filter((right) => !always.includes(right));

  test('capture-change updates cursors, and reads nothing but its stream', () => {
    expect(rightsOf('capture-change')).toEqual([
      'ChangeCaptureGivenUp sqs:SendMessage',
      'Debounce dynamodb:UpdateItem',
      'TransactionsStream dynamodb:DescribeStream',
      'TransactionsStream dynamodb:GetRecords',
      'TransactionsStream dynamodb:GetShardIterator',
      'TransactionsStream dynamodb:ListStreams',
    ]);
  });

  test('publish-dormant reads transactions one by one and partners, keeps the ledger, and fills the bus', () => {
    expect(rightsOf('publish-dormant')).toEqual([
      'Debounce dynamodb:GetItem',
      'Debounce dynamodb:PutItem',
      'Debounce dynamodb:Query',
      'Debounce dynamodb:UpdateItem',
      'Debounce/index/due dynamodb:Query',
      ...receives('DormantPublisherTicks'),
      'DormantPublisherTicks sqs:SendMessage',
      'PartnerBus events:DescribeEventBus',
      'PartnerBus events:PutEvents',
      'Partners dynamodb:BatchGetItem',
      'Partners dynamodb:GetItem',
      'Partners dynamodb:Query',
      'Transactions dynamodb:ConditionCheckItem',
      'Transactions dynamodb:GetItem',
    ]);
  });

  test('reconcile sees versions and no transaction, arms cursors, and only looks at the bus', () => {
    expect(rightsOf('reconcile')).toEqual([
      'Debounce dynamodb:BatchGetItem',
      'Debounce dynamodb:UpdateItem',
      'Partners dynamodb:BatchGetItem',
      'Partners dynamodb:GetItem',
      'Partners dynamodb:Query',
      'Transactions/index/changed dynamodb:Query',
      `api-destination/transactions-${stage}-* events:DescribeApiDestination`,
      `connection/transactions-${stage}-* events:DescribeConnection`,
      `rule/transactions-${stage}/transactions-${stage}-* events:DescribeRule`,
      `rule/transactions-${stage}/transactions-${stage}-* events:ListTargetsByRule`,
    ]);
  });

  test('collect-dead-letters reads and moves deliveries, and nothing else', () => {
    expect(rightsOf('collect-dead-letters')).toEqual([
      'Debounce dynamodb:GetItem',
      'Debounce dynamodb:UpdateItem',
      ...receives('PartnerBusDeadLetters'),
    ]);
  });

  test('none writes a transaction or a partner, or reads a secret', () => {
    const rights = names.flatMap(rightsOf);

    expect(
      rights.filter((right) => /^(Transactions|Partners) dynamodb:(Put|Update|Delete)/.test(right)),
    ).toEqual([]);
    expect(rights.filter((right) => right.includes('secretsmanager'))).toEqual([]);
  });
});
