import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { requestLimits } from '../../runtime/sdk/request-limits.ts';

/**
 * One client a process, whose every request ends in time. The SDK reads region, credentials and `AWS_ENDPOINT_URL_DYNAMODB`
 * from the environment; the operator's tool names its stage's own instead.
 */
export const createDocumentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({ ...requestLimits(), ...config });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
