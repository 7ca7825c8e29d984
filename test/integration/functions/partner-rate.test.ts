import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Ask, httpEvent } from '../../support/builders/http-event.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import { startFunction, startPlace } from '../../support/engine/start-place.ts';

/** What each function answers within the rate. */
const asks: [name: string, target: string, more: Ask, status: number][] = [
  ['v2-read', `/api/v2/transaction/${uuidOf(1)}`, {}, 404],
  ['v2-write', `/api/v2/transaction/${uuidOf(1)}`, { method: 'PATCH', body: '{}' }, 404],
  ['v2-partner', '/api/v2/event?filter[type]=no', {}, 422],
];

describe.each(asks)('%s as Lambda starts it', (name, target, more, status) => {
  let place: Awaited<ReturnType<typeof startPlace>>;
  let handler: (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;

  beforeAll(async () => {
    place = await startPlace();
    Object.assign(process.env, place.environment, { PARTNER_REQUESTS_PER_MINUTE: '60' });
    handler = await startFunction(name);
  }, 180_000);
  afterAll(() => place.stop());

  const itemsOfCounts = async () => {
    const request = new QueryCommand({
      TableName: 'Requests',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `RATE#${place.clientId}` },
    });
    return (await place.engine.documents.send(request)).Items;
  };

  test('S-40 121 tokens of a partner have one rate, which is counted in the table', async () => {
    const answers: APIGatewayProxyResult[] = [];
    for (let n = 0; n < 121; n += 1) {
      const headers = {
        ...{ Authorization: `Bearer ${await place.signToken()}`, 'Content-Type': 'application/json' },
      };
      answers.push(await handler(httpEvent(target, { ...more, headers }), {} as Context));
    }

    // Of the two minutes of the clock that this may take, one has 61 of them: two shares, and one more.
    const [refused] = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.filter(({ statusCode }) => statusCode === status).length).toBeGreaterThanOrEqual(60);
    expect(refused?.headers).toMatchObject({
      'RateLimit-Policy': '"partner";q=60;w=60',
      RateLimit: expect.stringMatching(/^"partner";r=0;t=([1-9]|[1-5]\d|60)$/),
      'Retry-After': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    });
    const shares = (await itemsOfCounts())?.map((item) => item.shares.size) ?? [];
    expect(Math.max(...shares)).toBe(2);
  });
});
