import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';

/** The client of the functions, which is faster than that of the tests. */
export const productionClient = (endpoint: string) =>
  createDocumentClient({
    ...{ endpoint, region: 'eu-west-2' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
