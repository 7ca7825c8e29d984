import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engine, startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';
import { forgetStreamRecords } from '../../../localstack/dynamodb/stream-records.ts';
import { clientOf } from '../../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'stream-records-'));
const dbPath = join(folder, 'dynoxide.db');
let engine: Engine;
let client: DynamoDBClient;
let db: DatabaseSync;

beforeAll(async () => {
  // An engine of another kind keeps its records otherwise: this is about dynoxide's.
  engine = await startDynoxide({ dbPath, environment: { PATH: process.env.PATH } });
  client = clientOf(engine.endpoint);
  db = new DatabaseSync(dbPath, { timeout: 5000 });
  for (const TableName of ['table-one', 'table-two'])
    await client.send(
      new CreateTableCommand({
        ...{ TableName, BillingMode: 'PAY_PER_REQUEST' },
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
});
afterAll(async () => {
  db.close();
  client.destroy();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const write = async (table: string, count: number) => {
  for (let number = 1; number <= count; number += 1)
    await client.send(new PutItemCommand({ TableName: table, Item: { id: { S: `${number}` } } }));
};

const keptOf = (table: string) =>
  db
    .prepare('SELECT sequence_number AS number FROM _stream_records WHERE table_name = ? ORDER BY id')
    .all(table)
    .map(({ number }) => number);

describe('stream records of the embedded stage', () => {
  test('the number of the next record comes from an index alone, however many records are kept', async () => {
    // As dynoxide asks for it at each write.
    const plan = db
      .prepare(
        'EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 ' +
          'FROM _stream_records WHERE table_name = ?1',
      )
      .all('table-one')
      .map(({ detail }) => detail);

    expect(plan).toEqual(['SEARCH _stream_records USING COVERING INDEX stream_order (table_name=?)']);
  });

  test('what was read is forgotten, of that table only, and numbers go on', async () => {
    await write('table-one', 50);
    const before = keptOf('table-one');
    // As an import leaves them: 30,000 records put there all at once, and 50 that the engine has numbered behind them.
    db.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
       INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, sequence_number, shard_id, created_at)
       SELECT 'table-two', 'INSERT', '{}', '{}', i, 'shardId-00000001-table-two', 0 FROM n`,
    );
    await write('table-two', 50);

    forgetStreamRecords(dbPath, 'table-two', 30_040);
    const some = keptOf('table-two');
    forgetStreamRecords(dbPath, 'table-two', 30_050);
    const all = keptOf('table-two');
    await write('table-two', 1);

    expect(some).toEqual(Array.from({ length: 10 }, (_, index) => `${30_041 + index}`));
    expect(all).toEqual(['30050']);
    expect(keptOf('table-two')).toEqual(['30050', '30051']);
    expect(keptOf('table-one')).toEqual(before);
  });

  test('the engine refuses no write while records are being forgotten', async () => {
    const first = Number(keptOf('table-one').at(-1) ?? 0);
    const writes = write('table-one', 300);
    for (let number = 1; number <= 60; number += 1) {
      forgetStreamRecords(dbPath, 'table-one', first + number);
      await new Promise(setImmediate);
    }
    await writes;

    expect(keptOf('table-one').at(-1)).toBe(`${first + 300}`);
  });
});
