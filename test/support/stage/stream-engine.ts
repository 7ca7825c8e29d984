import { text } from 'node:stream/consumers';
import { openLoopback } from '../../../localstack/embedded/loopback.ts';

/** A record as DynamoDB Streams sends it. */
export const aStreamRecord = (number: number, more: { eventName?: string; atMs?: number } = {}) => ({
  ...{ eventID: `e${number}`, eventName: more.eventName ?? 'MODIFY', eventVersion: '1.1' },
  dynamodb: {
    ApproximateCreationDateTime: (more.atMs ?? Date.now()) / 1000,
    Keys: { pk: { S: `item ${number}` } },
    NewImage: { pk: { S: `item ${number}` }, bytes: { B: 'AQI=' }, list: { L: [{ B: 'AQI=' }] } },
    SequenceNumber: String(number),
  },
});

type Shard = { id: string; parent?: string; isClosed?: boolean; records: ReturnType<typeof aStreamRecord>[] };

/** DynamoDB with the stream of one table, whose shards are in the test's hands. */
export const startStreamEngine = async () => {
  const engine = { streamArn: 'arn:stream/1', shards: [] as Shard[], refused: [] as string[] };
  const find = (id: string) => engine.shards.find((shard) => shard.id === id);
  const answers: Record<string, (input: Record<string, string>) => object> = {
    DescribeTable: () => ({ Table: { LatestStreamArn: engine.streamArn } }),
    DescribeStream: () => ({
      StreamDescription: {
        Shards: engine.shards.map(({ id, parent }) => ({ ShardId: id, ParentShardId: parent })),
      },
    }),
    GetShardIterator: ({ ShardId = '', SequenceNumber }) => {
      const { records } = find(ShardId) as Shard;
      const at = records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === SequenceNumber) + 1;
      return { ShardIterator: `${ShardId}|${at}` };
    },
    GetRecords: ({ ShardIterator = '', Limit }) => {
      const [id = '', from] = ShardIterator.split('|');
      const { records, isClosed } = find(id) as Shard;
      const page = records.slice(Number(from), Number(from) + Number(Limit));
      const next = Number(from) + page.length;
      const isOver = isClosed && next === records.length;
      return { Records: page, ...(!isOver && { NextShardIterator: `${id}|${next}` }) };
    },
  };
  const server = await openLoopback(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(await text(request));
    const refused = operation === 'GetRecords' ? engine.refused.shift() : undefined;
    response
      .writeHead(refused ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(refused ? { __type: refused } : answers[operation]?.(input)));
  });
  return { engine, url: server.url, stop: server.stop };
};
