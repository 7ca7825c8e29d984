import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openApis } from '../../../localstack/apigateway/server.ts';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import { freePort } from '../../../localstack/free-port.ts';
import { createFunctions } from '../../../localstack/lambda/functions.ts';
import type { LoopbackServer } from '../../../localstack/loopback/server.ts';
import { writeAssembly } from '../../support/engine/cloud-assembly.ts';
import { until } from '../../support/stage/messaging.ts';

const echo = `export const handler = async (event, context) => ({
  statusCode: 200,
  headers: { 'Request-Id': context.awsRequestId, 'X-Single': 'one' },
  multiValueHeaders: { 'X-Many': ['a', 'b'] },
  body: JSON.stringify({ event, own: process.env.OWN, name: context.functionName, left: context.getRemainingTimeInMillis() }),
});`;

const assembly = writeAssembly([
  { path: 'echo', code: echo },
  {
    path: 'throws',
    code: `export const handler = async () => { console.log('before'); throw new TypeError('no such thing'); };`,
  },
  { path: 'malformed', code: `export const handler = async () => 'just text';` },
  { path: 'broken', code: `throw new Error('does not load'); export const handler = 1;` },
  {
    path: 'mortal',
    code: `const instance = String(Math.random());
      export const handler = async ({ httpMethod }) => {
        if (httpMethod === 'PUT') await new Promise(() => {});
        if (httpMethod === 'DELETE') process.exit(3);
        if (httpMethod === 'PATCH') setImmediate(() => { throw new Error('after the answer'); });
        return { statusCode: 200, body: instance };
      };`,
    timeoutSeconds: 1,
  },
  {
    path: 'shown',
    code: `export const handler = async ({ httpMethod }) => ({ statusCode: 200, body: httpMethod === 'HEAD' ? '' : 'shown' });`,
  },
  { path: 'fault', code: `export const handler = async () => ({ statusCode: 503, body: '{}' });` },
  {
    path: 'counts',
    code: `let now = 0; let most = 0;
      export const handler = async () => {
        now += 1; most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return { statusCode: 200, body: String(most) };
      };`,
  },
]);
const logs = mkdtempSync(join(tmpdir(), 'logs-'));
const cloud = readCloud(assembly);
const nowhere = 'http://127.0.0.1:1';
const functions = createFunctions(
  cloud,
  { dynamodb: nowhere, secretsmanager: nowhere, eventbridge: nowhere, sqs: nowhere, lambda: nowhere },
  logs,
);
const told: string[] = [];
let apis: LoopbackServer;
let port: number;

beforeAll(async () => {
  port = await freePort();
  apis = await openApis(port, { cloud, functions, warn: (sentence) => told.push(sentence) });
});
beforeEach(() => {
  told.length = 0;
});
afterAll(async () => {
  await apis.stop();
  for (const pool of functions.values()) await pool.stop();
  rmSync(assembly, { recursive: true });
  rmSync(logs, { recursive: true });
});

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);

const textOf = async (path: string) => (await ask(path)).text();
const jsonOf = async (answer: Response) => JSON.parse(await answer.text());

/** The answer to these bytes, of which fetch would send others. */
const answerToRaw = async (text: string) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

describe('both APIs on one port', () => {
  test('a handler gets the proxy event, its own variables and a context, and its answer arrives whole', async () => {
    const answer = await ask('/echo/?a=1&a=2', { method: 'POST', body: 'text' });
    const { event, own, name, left } = await jsonOf(answer);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-single')).toBe('one');
    expect(answer.headers.get('x-many')).toBe('a, b');
    expect(answer.headers.get('request-id')).toBe(event.requestContext.requestId);
    expect(event).toMatchObject({
      ...{ path: '/echo/', resource: '/echo', httpMethod: 'POST', body: 'text' },
      multiValueQueryStringParameters: { a: ['1', '2'] },
      requestContext: { stage: 'local', resourcePath: '/echo', identity: { sourceIp: '127.0.0.1' } },
    });
    expect([own, name]).toEqual(['variable of echo', 'echo']);
    expect(left).toBeGreaterThan(0);
    expect(told).toEqual([]);
  });

  test('VERB-1 HEAD has no length but a true one', async () => {
    const get = await ask('/shown');
    const head = await ask('/shown', { method: 'HEAD' });
    const whole = await ask('/echo', { method: 'HEAD' });
    const unknown = await ask('/nope', { method: 'HEAD' });

    expect([get.headers.get('content-length'), head.headers.get('content-length')]).toEqual(['5', null]);
    expect(Number(whole.headers.get('content-length'))).toBeGreaterThan(100);
    expect(Number(unknown.headers.get('content-length'))).toBe((await textOf('/nope')).length);
  });

  test('a path is matched as it was sent', async () => {
    const answers = ['/echo', '/x/../echo'].map((path) =>
      answerToRaw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
    );

    expect((await Promise.all(answers)).map((answer) => answer.slice(9, 12))).toEqual(['200', '404']);
  });

  test.each([
    ['a path of 20 kB', `/${'x'.repeat(20_000)}`, ''],
    ['a header of 100 kB', '/echo', 'x'.repeat(100_000)],
  ])('ERR-5 %s is a problem with one status, 431', async (_name, path, long) => {
    const answer = await ask(path, { headers: { 'X-Long': long } });

    expect(answer.status).toBe(431);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await jsonOf(answer)).toEqual({ status: 431, requestId: answer.headers.get('request-id') });
    expect(told).toEqual([]);
  });

  test('ERR-5 what is no HTTP is a problem with one status, 400', async () => {
    const raw = await answerToRaw('NONSENSE\r\n\r\n');
    const [head = '', body = ''] = raw.split('\r\n\r\n');

    expect(head.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(head.match(/^content-type: .*$/gim)).toEqual(['Content-Type: application/problem+json']);
    expect(JSON.parse(body)).toEqual({
      status: 400,
      requestId: /^Request-Id: (.*)$/im.exec(head)?.[1],
    });
  });

  test.each([
    ['throws', 500, 'the function threw TypeError: no such thing. The cause is'],
    ['malformed', 500, 'the answer cannot be sent: it is not an object. More may be'],
    ['broken', 500, 'the function threw Error: does not load. The cause is'],
    ['fault', 503, 'answered 503. The cause is'],
  ])('RUN-1 %s answers %s and one sentence names the function and its log', async (name, status, cause) => {
    const answer = await ask(`/${name}`);

    expect(answer.status).toBe(status);
    expect(told).toEqual([`${name} at GET /${name}: ${cause} in ${join(logs, `${name}.log`)}`]);
  });

  test('what a function prints, and the stack of what it throws, are in its log', async () => {
    await ask('/throws');
    await functions.get('Functionthrows')?.stop();

    const log = readFileSync(join(logs, 'throws.log'), 'utf8');

    expect(log).toContain('before');
    expect(log).toContain('TypeError: no such thing');
    expect(log).toContain('index.mjs');
  });

  test.each([
    ['answers too late', 'PUT', 504, 'timed out'],
    ['ends its process', 'DELETE', 500, 'ended its process with code 3'],
  ])(
    'a function that %s is told of, and its next event finds a new instance',
    async (_, method, status, why) => {
      const instance = await textOf('/mortal');
      const answer = await ask('/mortal', { method });

      expect(answer.status).toBe(status);
      expect(told).toEqual([expect.stringContaining(`mortal at ${method} /mortal: the function ${why}.`)]);
      expect(await textOf('/mortal')).toMatch(/^0\.\d+$/);
      expect(await textOf('/mortal')).not.toBe(instance);
    },
  );

  test('an instance that dies between two events is not asked again', async () => {
    const instance = await (await ask('/mortal', { method: 'PATCH' })).text();
    const log = join(logs, 'mortal.log');
    await until(() => readFileSync(log, 'utf8').includes('Error: after the answer'));

    const answer = await ask('/mortal');

    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toBe(instance);
  });

  test('an instance has one event at a time, however many arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => textOf('/counts')));

    expect(new Set(answers)).toEqual(new Set(['1']));
  });
});

test('a template that the stage cannot stand in for is refused by the types of its resources', () => {
  const folder = writeAssembly([], {
    Topic: { Type: 'AWS::SNS::Topic' },
    Schedule: { Type: 'AWS::Scheduler::Schedule' },
  });

  expect(() => readCloud(folder)).toThrow(
    'The local stage cannot stand in for these resources of the template: AWS::SNS::Topic, AWS::Scheduler::Schedule.',
  );
  rmSync(folder, { recursive: true });
});
