import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../bin/operator/user-error.ts';
import { region } from '../aws/names.ts';
import type { CloudTable } from '../cloudformation/model.ts';

/** Creates the tables that the engine lacks, and returns their logical ids. */
export const createMissingTables = async (
  endpoint: string,
  tables: readonly CloudTable[],
): Promise<string[]> => {
  const engine = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { TableNames = [] } = await engine.send(new ListTablesCommand({})).catch((error: Error) => {
    throw new UserError(
      `The DynamoDB engine at ${endpoint} does not answer: ${error.message || error.name}.`,
    );
  });
  const missing = tables.filter(({ name }) => !TableNames.includes(name));
  for (const { definition } of missing) {
    await engine.send(new CreateTableCommand(definition));
  }
  engine.destroy();
  return missing.map(({ id }) => id);
};
