import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { putByFetch } from '../../../functions/rotate-keys/custom-resource.ts';

type Received = {
  method: string | undefined;
  path: string | undefined;
  type: string | undefined;
  body: string;
};

let received: Received[];
let status: number;
const server = createServer(async (request, response) => {
  const { method, url: path, headers } = request;
  received.push({ method, path, type: headers['content-type'], body: await text(request) });
  response.writeHead(status).end();
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?X-Amz-Signature=s`;

beforeEach(async () => {
  received = [];
  status = 200;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the response is put where CloudFormation waits, without the content type that its signature leaves out', async () => {
  await putByFetch(address(), '{"Status":"SUCCESS"}');

  expect(received).toEqual([
    { method: 'PUT', path: '/answer?X-Amz-Signature=s', type: '', body: '{"Status":"SUCCESS"}' },
  ]);
});

test('a response that CloudFormation refuses is a fault', async () => {
  status = 403;
  await expect(putByFetch(address(), '{}')).rejects.toThrow('CloudFormation did not take the answer: 403');
});
