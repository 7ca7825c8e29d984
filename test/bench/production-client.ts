import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';

/** The client that the functions have, which is quicker than that of the tests. */
export const productionClient = (endpoint: string) =>
  createDocumentClient({
    ...{ endpoint, region: 'eu-west-2' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
