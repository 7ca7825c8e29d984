import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

/** An index. It holds the items that have both key attributes, with their keys and the projected attributes. */
export type IndexDefinition = {
  name: string;
  /** The partition is text, the time a number. */
  key: readonly [partition: string, time: string];
  projects?: readonly string[];
};

export type TableDefinition = {
  /** Both are text. */
  key: readonly [partition: string, sort?: string];
  /** A stream with both images of every change, for events. */
  hasStream?: true;
  /** DynamoDB deletes items some time after `expiresAt`. Reads ignore them at once (S-60). */
  expires?: true;
  /** A deployment adds or removes one index of a deployed table. */
  indexes?: readonly IndexDefinition[];
};

/** The tables by their logical ids, defined once: for the templates, the embedded stage and tests. */
export const tables = {
  Transactions: {
    key: ['uuid'],
    hasStream: true,
    // Changes by hour, for the reconciler and retention.
    indexes: [
      { name: 'changed', key: ['changedIn', 'updatedAtMs'], projects: ['version', 'notifyFromVersion'] },
    ],
  },
  Listing: { key: ['pk', 'sk'] },
  Partners: { key: ['pk', 'sk'] },
  Debounce: {
    key: ['pk', 'sk'],
    expires: true,
    // What is due; sparse, since a row without a time has no shard.
    indexes: [{ name: 'due', key: ['dueShard', 'dueAtMs'] }],
  },
  Requests: { key: ['pk', 'sk'], expires: true },
  Audit: { key: ['pk', 'sk'] },
} as const satisfies Record<string, TableDefinition>;

export type TableId = keyof typeof tables;
export const tableIds = Object.keys(tables) as TableId[];

/** The input of CreateTable that makes a table as CloudFormation would; the name is the logical id unless another is given. */
export const createTableInput = (id: TableId, name: string = id): CreateTableCommandInput => {
  const { key, hasStream, indexes = [] }: TableDefinition = tables[id];
  const numbers = indexes.map((index) => index.key[1]);
  const texts = [...new Set([...key, ...indexes.map((index) => index.key[0])])];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(key),
    AttributeDefinitions: [
      ...texts.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      ...[...new Set(numbers)].map((AttributeName) => ({ AttributeName, AttributeType: 'N' as const })),
    ],
    ...(hasStream && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
    }),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.key),
        Projection: index.projects
          ? { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.projects] }
          : { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  };
};

const keySchema = ([partition, sort]: readonly [string, string?]) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
];
