import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import type { Happening } from '../../../localstack/feed/happening.ts';
import { createFunctions } from '../../../localstack/lambda/functions.ts';
import { type InvokeServer, startInvokeServer } from '../../../localstack/lambda/invoke-server.ts';
import { writeAssembly } from '../../support/engine/cloud-assembly.ts';
import { settingsFor } from '../../support/engine/engine.ts';

const assembly = writeAssembly(
  [
    {
      path: 'echo',
      code: `export const handler = async (event) => ({ event, endpoint: process.env.AWS_ENDPOINT_URL_LAMBDA });`,
    },
    { path: 'throws', code: `export const handler = async () => { throw new TypeError('no such thing'); };` },
    { path: 'late', code: 'export const handler = () => new Promise(() => {});', timeoutSeconds: 1 },
    { path: 'empty', code: 'export const handler = async () => {};' },
  ],
  // No template names who invokes it.
  Object.fromEntries(
    ['echo', 'throws', 'late', 'empty'].map((path) => [`Method${path}`, { Type: 'AWS::IAM::Role' }]),
  ),
);
const logs = mkdtempSync(join(tmpdir(), 'logs-'));
const told: Happening[] = [];
const stops: (() => unknown)[] = [];
let server: InvokeServer;
let client: LambdaClient;

beforeAll(async () => {
  server = await startInvokeServer();
  const nowhere = 'http://127.0.0.1:1';
  const functions = createFunctions(
    readCloud(assembly),
    {
      ...{ dynamodb: nowhere, secretsmanager: nowhere, eventbridge: nowhere, sqs: nowhere },
      lambda: server.endpoint,
    },
    logs,
    { emit: (happening) => told.push(happening) },
  );
  server.serve(functions);
  client = new LambdaClient(settingsFor(server.endpoint));
  stops.push(() => client.destroy(), server.stop, ...[...functions.values()].map(({ stop }) => stop));
});
afterAll(async () => {
  for (const stop of stops) await stop();
  for (const folder of [assembly, logs]) rmSync(folder, { recursive: true });
});

const invoke = async (FunctionName: string, more: Partial<InvokeCommandInput> = {}) => {
  const { Payload, $metadata, ...answer } = await client.send(new InvokeCommand({ FunctionName, ...more }));
  return { ...answer, payload: JSON.parse(Payload?.transformToString() ?? '') };
};

describe('Invoke of Lambda on its own protocol', () => {
  test.each([
    ['its name', 'Functionecho'],
    ['its ARN', 'arn:aws:lambda:eu-west-2:000000000000:function:Functionecho'],
  ])('a function is found by %s, and answers what it is given', async (_, name) => {
    const answer = await invoke(name, { Payload: Buffer.from('{"url":"https://é.example"}') });

    expect(answer).toEqual({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      payload: { event: { url: 'https://é.example' }, endpoint: server.endpoint },
    });
  });

  test('without a payload the event is empty, and an answer of nothing is null', async () => {
    expect((await invoke('Functionecho')).payload).toMatchObject({ event: {} });
    expect((await invoke('Functionempty')).payload).toBeNull();
  });

  test.each([
    ['throws', 'Functionthrows', { errorType: 'TypeError', errorMessage: 'no such thing' }],
    ['does not answer in time', 'Functionlate', { errorType: 'Error', errorMessage: 'timed out' }],
  ])('the failure of a function that %s is an answer, marked as such', async (_, name, payload) => {
    expect(await invoke(name)).toEqual({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      FunctionError: 'Unhandled',
      payload,
    });
  });

  const nobody = 'Function not found: arn:aws:lambda:eu-west-2:000000000000:function:Nobody';
  const event = { InvocationType: 'Event' } as const;
  const noJson = { Payload: Buffer.from('{') };
  test.each<[string, string, Partial<InvokeCommandInput>, string, string]>([
    ['an unknown function', 'Nobody', {}, 'ResourceNotFoundException', nobody],
    [
      'a call that does not wait',
      'Functionecho',
      event,
      'InvalidParameterValueException',
      'The local stage does not know the type Event.',
    ],
    [
      'a version',
      'Functionecho',
      { Qualifier: '1' },
      'UnknownOperationException',
      'The local stage supports only Invoke.',
    ],
    [
      'a payload that is no JSON',
      'Functionecho',
      noJson,
      'InvalidRequestContentException',
      'The payload is not JSON.',
    ],
  ])('%s is refused by name', async (_, functionName, more, name, message) => {
    await expect(invoke(functionName, more)).rejects.toMatchObject({ name, message });
  });

  test('RUN-10 a call by Invoke has another function as its cause', async () => {
    told.length = 0;
    await invoke('Functionecho');

    expect(told[0]).toEqual({ kind: 'called', function: 'echo', cause: { by: 'function' } });
  });
});
