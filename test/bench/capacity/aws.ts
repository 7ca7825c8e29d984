/** A limit of AWS, as an account has it before it asks for more, and where AWS says so. */
export type AwsLimit = { limit: number; source: string };

const dynamo = 'DynamoDB developer guide';
const bus = 'EventBridge user guide, "Quotas"';

/** In eu-west-2. */
export const aws = {
  partitionWritesASecond: { limit: 1_000, source: `${dynamo}, "Burst and adaptive capacity"` },
  partitionReadsASecond: { limit: 3_000, source: `${dynamo}, "Burst and adaptive capacity"` },
  tableWritesASecond: { limit: 40_000, source: `${dynamo}, "Quotas"` },
  newTableWritesASecond: { limit: 4_000, source: `${dynamo}, "On-demand capacity mode"` },
  itemBytes: { limit: 400_000, source: `${dynamo}, "Constraints"` },
  putEventsASecond: { limit: 1_200, source: bus },
  entriesInPutEvents: { limit: 10, source: 'EventBridge API reference, PutEvents' },
  destinationCallsASecond: { limit: 300, source: bus },
  rules: { limit: 300, source: bus },
  destinations: { limit: 3_000, source: bus },
  connections: { limit: 3_000, source: bus },
  lambdaConcurrentExecutions: { limit: 1_000, source: 'Lambda developer guide, "Quotas"' },
} as const satisfies Record<string, AwsLimit>;
