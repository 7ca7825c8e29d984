import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { StageName } from '../../../lib/config.ts';
import { resourcesOf, templatesOf } from './templates.ts';

type TableProperties = Pick<
  CreateTableCommandInput,
  'AttributeDefinitions' | 'KeySchema' | 'BillingMode' | 'GlobalSecondaryIndexes'
> & {
  StreamSpecification?: { StreamViewType: 'NEW_AND_OLD_IMAGES' };
};

/**
 * The tables as `CreateTable` inputs, read from the synthesised template so that they are defined once. `TableName` is
 * the logical id: Transactions, Listing, Partners, Debounce, Requests.
 */
export const tablesFromTemplate = (stage: StageName = 'local'): CreateTableCommandInput[] => {
  return Object.entries(resourcesOf(templatesOf(stage).data, 'AWS::DynamoDB::Table')).map(
    ([name, { Properties }]) => toCreateTable(name, Properties as TableProperties),
  );
};

const toCreateTable = (name: string, table: TableProperties): CreateTableCommandInput => ({
  TableName: name,
  AttributeDefinitions: table.AttributeDefinitions,
  KeySchema: table.KeySchema,
  BillingMode: table.BillingMode,
  ...(table.GlobalSecondaryIndexes && { GlobalSecondaryIndexes: table.GlobalSecondaryIndexes }),
  ...(table.StreamSpecification && {
    StreamSpecification: { StreamEnabled: true, ...table.StreamSpecification },
  }),
});
