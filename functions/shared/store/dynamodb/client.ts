import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { requestLimits } from '../../runtime/sdk/request-limits.ts';

/**
 * One client for each process, with a time limit for every request. The SDK reads region, credentials and
 * `AWS_ENDPOINT_URL_DYNAMODB` from the environment. The operator's tool passes those of its stage.
 */
export const createDocumentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({ ...requestLimits(), ...config });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
