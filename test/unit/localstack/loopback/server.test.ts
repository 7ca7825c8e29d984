import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LoopbackServer, openLoopbackServer } from '../../../../localstack/loopback/server.ts';

let server: LoopbackServer;
beforeEach(async () => {
  server = await openLoopbackServer((_, response) => response.writeHead(418).end(), { admits: () => true });
});
afterEach(() => server.stop());

/** By node:http, because fetch does not let a caller set the host. */
const statusOf = async (headers: Record<string, string>) => {
  const sent = request({ host: '127.0.0.1', port: server.port, headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
};

test('S-83 a server may admit the pages of others, and never another host', async () => {
  expect(await statusOf({ Origin: 'http://evil.example' })).toBe(418);
  expect(await statusOf({ Host: `evil.example:${server.port}` })).toBe(403);
});
