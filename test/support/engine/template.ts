import { rmSync } from 'node:fs';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { configOf, type StageName } from '../../../lib/config.ts';
import { DataStack } from '../../../lib/data-stack.ts';

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
  const app = new App({ builtinCloudFormationValidation: false });
  const template = Template.fromStack(new DataStack(app, configOf(stage)));
  // The template is in memory now; without an `outdir` an app leaves a temporary folder behind.
  rmSync(app.outdir, { recursive: true });
  return Object.entries(template.findResources('AWS::DynamoDB::Table')).map(([name, { Properties }]) =>
    toCreateTable(name, Properties),
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
