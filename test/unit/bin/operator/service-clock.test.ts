import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createServiceClock } from '../../../../bin/operator/service-clock.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';

/** A machine at noon, and tables that answer with a time of their own, this long after the request. */
const tablesAt = (date: string | undefined, answerSeconds = 0) => {
  const machine = aClock('2026-11-22T12:00:00.000Z');
  const client = new DynamoDBClient({
    region: 'eu-west-2',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: {
      handle: async () => {
        machine.pass({ seconds: answerSeconds });
        const headers: Record<string, string> = date === undefined ? {} : { date };
        return { response: { statusCode: 200, headers, body: Readable.from([Buffer.from('{}')]) } };
      },
    } as never,
  });
  const documents = DynamoDBDocumentClient.from(client);
  const clock = createServiceClock(documents, machine.now);
  return {
    machine,
    time: () => clock().toISOString(),
    ask: () => documents.send(new GetCommand({ TableName: 'T', Key: { pk: 'a' } })),
  };
};

test('TOK-6 before the first response the machine’s clock counts', () => {
  expect(tablesAt('Sun, 22 Nov 2026 13:00:00 GMT').time()).toBe('2026-11-22T12:00:00.000Z');
});

test.each([
  ['an hour behind', 'Sun, 22 Nov 2026 13:00:00 GMT', '2026-11-22T13:00:00.500Z'],
  ['a minute ahead', 'Sun, 22 Nov 2026 11:59:00 GMT', '2026-11-22T11:59:00.500Z'],
  ['two seconds behind', 'Sun, 22 Nov 2026 12:00:02 GMT', '2026-11-22T12:00:02.500Z'],
])('TOK-6 a machine that is %s uses the service’s clock', async (_how, date, time) => {
  const { ask, ...clock } = tablesAt(date);

  await ask();

  expect(clock.time()).toBe(time);
  clock.machine.pass({ seconds: 10 });
  expect(Date.parse(clock.time())).toBe(Date.parse(time) + 10_000);
});

test.each([
  ['the same second', 'Sun, 22 Nov 2026 12:00:00 GMT', 0],
  ['a fraction of a second', 'Sun, 22 Nov 2026 11:59:58 GMT', 0],
  ['an answer that took its time', 'Sun, 22 Nov 2026 12:00:00 GMT', 8],
  ['an answer without a time', undefined, 0],
])('TOK-6 %s is no difference between the clocks', async (_what, date, answerSeconds) => {
  const { ask, machine, time } = tablesAt(date, answerSeconds);

  await ask();

  expect(time()).toBe(machine.now().toISOString());
});
