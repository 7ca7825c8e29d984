import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as SdkRecord,
  type Shard as SdkShard,
  type AttributeValue as SdkValue,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { UserError } from '../../bin/operator/user-error.ts';
import { region } from '../aws/names.ts';

type Shard = { id: string; parent: string | undefined };

/** The stream of a table at any engine with DynamoDB's protocol. */
export type Stream = {
  arn: string;
  /** All shards. The parent of a shard may be missing. */
  shards: () => Promise<Shard[]>;
  /** An iterator behind this record, or from the oldest record if it is undefined or not kept any more. */
  iteratorAfter: (shard: string, sequenceNumber: string | undefined) => Promise<string>;
  /** `next` is undefined at the end of the shard. */
  read: (iterator: string) => Promise<{ records: DynamoDBRecord[]; next: string | undefined }>;
};

/** The most records of one read: 200 imported ones, with both images, take 4 MB. */
export const pageSize = 200;

export const openStream = async (endpoint: string, table: string): Promise<Stream> => {
  const arn = await streamArnOf(endpoint, table);
  const client = new DynamoDBStreamsClient(connection(endpoint));
  // The SDK's logger copies every record, and its log is not used.
  client.middlewareStack.remove('loggerMiddleware');
  const iterator = async (shard: string, from: IteratorStart) => {
    const { ShardIterator = '' } = await client.send(
      new GetShardIteratorCommand({ StreamArn: arn, ShardId: shard, ...from }),
    );
    return ShardIterator;
  };
  return {
    arn,
    shards: () => listShards(client, arn),
    iteratorAfter: (shard, SequenceNumber) => {
      if (SequenceNumber === undefined) return iterator(shard, oldest);
      return iterator(shard, { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }).catch(
        (error) => {
          if (error.name === 'TrimmedDataAccessException') return iterator(shard, oldest);
          throw error;
        },
      );
    },
    read: async (ShardIterator) => {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator, Limit: pageSize }),
      );
      return { records: Records.map((record) => toLambdaRecord(record, arn)), next: NextShardIterator };
    },
  };
};

type IteratorStart = { ShardIteratorType: 'TRIM_HORIZON' | 'AFTER_SEQUENCE_NUMBER'; SequenceNumber?: string };
const oldest: IteratorStart = { ShardIteratorType: 'TRIM_HORIZON' };

/** Without retries of the client, since the reader of the stream retries. */
const connection = (endpoint: string) => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

const streamArnOf = async (endpoint: string, table: string): Promise<string> => {
  const client = new DynamoDBClient(connection(endpoint));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  client.destroy();
  if (Table?.LatestStreamArn) return Table.LatestStreamArn;
  throw new UserError(
    `The table ${table} has no stream at the DynamoDB engine ${endpoint}; delete it there, and the next start creates it again.`,
  );
};

const listShards = async (client: DynamoDBStreamsClient, arn: string): Promise<Shard[]> => {
  const shards: SdkShard[] = [];
  let last: string | undefined;
  do {
    const { StreamDescription } = await client.send(
      new DescribeStreamCommand({ StreamArn: arn, ...(last && { ExclusiveStartShardId: last }) }),
    );
    shards.push(...(StreamDescription?.Shards ?? []));
    last = StreamDescription?.LastEvaluatedShardId;
  } while (last);
  return shards.map(({ ShardId = '', ParentShardId }) => ({ id: ShardId, parent: ParentShardId }));
};

/** A stream record in the form that Lambda passes to functions: as JSON, with times in seconds and bytes in Base64. */
export const toLambdaRecord = (record: SdkRecord, streamArn: string): DynamoDBRecord => {
  const { dynamodb, userIdentity, eventID, eventName, eventVersion } = record;
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime, ...others } = dynamodb ?? {};
  const images = Object.entries({ Keys, NewImage, OldImage })
    .filter(([, image]) => image !== undefined)
    .map(([name, image]) => [name, plainImage(image ?? {})]);
  return {
    eventID,
    eventName,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ...others,
      ApproximateCreationDateTime: Math.floor((ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      ...Object.fromEntries(images),
    },
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN: streamArn,
  };
};

const plainImage = (image: Record<string, SdkValue>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainValue(value)]));

const plainValue = (value: SdkValue): AttributeValue => {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(plainValue) };
  if (value.M) return { M: plainImage(value.M) };
  return value as AttributeValue;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
