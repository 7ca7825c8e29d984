import { describe, expect, test } from '@jest/globals';
import { configOf, type StageConfig } from '../../../lib/config.ts';
import { synthesise } from '../../support/engine/synthesis.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../../support/engine/templates.ts';

const streamArn = 'arn:aws:dynamodb:eu-west-2:000000000000:table/Transactions-2/stream/2026-11-22';
const restored: StageConfig = {
  ...configOf('staging'),
  restoredTables: {
    transactions: { table: 'Transactions-2', streamArn },
    listing: { table: 'Listing-2' },
    partners: { table: 'Partners-2' },
    debounce: { table: 'Debounce-2' },
    requests: { table: 'Requests-2' },
  },
};

const { data, service } = await synthesise(restored);

describe('DR-1 restored tables', () => {
  const policies = JSON.stringify(propertiesOf(service, 'AWS::IAM::Policy'));
  const variables = propertiesOf(service, 'AWS::Lambda::Function').flatMap(({ Environment }) =>
    Object.entries((Environment as { Variables: Record<string, unknown> }).Variables),
  );

  test('are the ones that every function uses', () => {
    // The copy of the audit records is not restored with another table (DR-2).
    const tables = variables.filter(([name]) => name.endsWith('_TABLE') && name !== 'AUDIT_TABLE');

    expect(new Set(tables.map(([name, value]) => `${name} ${value}`))).toEqual(
      new Set([
        'TRANSACTIONS_TABLE Transactions-2',
        'LISTING_TABLE Listing-2',
        'PARTNERS_TABLE Partners-2',
        'DEBOUNCE_TABLE Debounce-2',
        'REQUESTS_TABLE Requests-2',
      ]),
    );
  });

  test('are the ones that rights name; replaced tables have none', () => {
    const own = ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests'];

    expect(own.filter((name) => policies.includes(`table/${name}-2`))).toEqual(own);
    expect(own.filter((name) => policies.includes(`OutputFnGetAtt${name}`))).toEqual([]);
  });

  test('have their own streams connected', () => {
    const streams = propertiesOf(service, 'AWS::Lambda::EventSourceMapping').map((one) => one.EventSourceArn);

    expect(streams).toContain(streamArn);
    expect(policies).toContain(streamArn);
  });

  test('are the ones that the outputs name', () => {
    expect(data.Outputs).toMatchObject({
      TransactionsTable: { Value: 'Transactions-2' },
      ListingTable: { Value: 'Listing-2' },
      PartnersTable: { Value: 'Partners-2' },
      DebounceTable: { Value: 'Debounce-2' },
      RequestsTable: { Value: 'Requests-2' },
    });
  });

  test('leave the tables of the stack unchanged, and the outputs that other stacks read', () => {
    const before = templatesOf('staging').data;

    expect(resourcesOf(data, 'AWS::DynamoDB::Table')).toEqual(resourcesOf(before, 'AWS::DynamoDB::Table'));
    expect(Object.keys(before.Outputs).filter((name) => data.Outputs[name] === undefined)).toEqual([]);
  });
});

test('DR-1 a restored Transactions table without its stream is refused at synthesis', async () => {
  const withoutStream = { ...restored, restoredTables: { transactions: { table: 'Transactions-2' } } };

  await expect(synthesise(withoutStream)).rejects.toThrow('The Transactions table has no stream.');
});
