import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTableInput, tableIds } from '../../../lib/tables.ts';
import { startDynoxide } from '../../../localstack/embedded/engine.ts';

/** A DynamoDB engine with the service's tables, for one test file. */
export type TestEngine = {
  endpoint: string;
  client: DynamoDBClient;
  documents: DynamoDBDocumentClient;
  /** Table names are logical ids followed by this suffix. */
  suffix: string;
};
/** One that somebody has to stop. */
export type StartedEngine = TestEngine & { stop: () => Promise<void> };

/** Starts an engine in memory on a free loopback port and creates the tables; `addTables` makes further sets of them. */
export const startEngine = async (): Promise<StartedEngine> => {
  const engine = await startDynoxide();
  const client = clientOf(engine.endpoint);
  try {
    refuseStrangers(engine.endpoint);
    await addTables(client, '');
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return {
    endpoint: engine.endpoint,
    client,
    documents: documentsOf(client),
    suffix: '',
    stop: async () => {
      client.destroy();
      await engine.stop();
    },
  };
};

/** A client of its own, for faults that shall not touch others. */
export const clientOf = (endpoint: string) => new DynamoDBClient(settingsFor(endpoint));

/** Of a client of the SDK for a service on this machine, which asks once. */
export const settingsFor = (endpoint: string) => ({
  endpoint,
  region: 'eu-west-2',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

export const documentsOf = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/**
 * Creates the service's tables once more, under names that end in `suffix`; `only` leaves others out. Without streams,
 * which no test reads: each record that dynoxide keeps slows its next write down.
 */
export const addTables = async (client: DynamoDBClient, suffix: string, only?: readonly string[]) => {
  await Promise.all(
    tableIds
      .filter((id) => only === undefined || only.includes(id))
      .map((id) => {
        const { StreamSpecification: _, ...table } = createTableInput(id, `${id}${suffix}`);
        return client.send(new CreateTableCommand(table));
      }),
  );
};

/** Integration tests write and delete: never against an engine that is not on this machine. */
const refuseStrangers = (endpoint: string) => {
  const { hostname } = new URL(endpoint);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error(`Tests refuse to use ${hostname}: DYNAMODB_ENDPOINT must be on loopback`);
};
