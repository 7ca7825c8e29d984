import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConcurrency } from '../../../bin/operator/store/concurrency.ts';

const asked: string[] = [];
let lambda: Server;
beforeAll(async () => {
  lambda = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${(await request.toArray()).join('')}`.trim());
    response.setHeader('Content-Type', 'application/json').end('{"ReservedConcurrentExecutions":7}');
  });
  await new Promise<void>((resolve) => lambda.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => lambda.close(resolve)));

test('RUN-13 a reservation is read, set and removed through Lambda’s API', async () => {
  const endpoint = `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new LambdaClient({ endpoint, credentials, region: 'eu-west-2' });
  const concurrency = createConcurrency(client);
  const v1 = { name: 'v1-transaction', functionName: 'V1' };

  expect(await concurrency.reserved(v1)).toBe(7);
  await concurrency.reserve(v1, 0);
  await concurrency.reserve(v1, undefined);
  client.destroy();

  expect(asked).toEqual([
    'GET /2019-09-30/functions/V1/concurrency',
    'PUT /2017-10-31/functions/V1/concurrency {"ReservedConcurrentExecutions":0}',
    'DELETE /2017-10-31/functions/V1/concurrency',
  ]);
});
