import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readStage } from '../../../../bin/operator/stage.ts';
import { aWorkspace } from '../../../support/operator/operator.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const queueArn = 'arn:aws:sqs:eu-west-2:111122223333:DeadLetters';
const tables = {
  ...{ transactions: 'T', listing: 'L', partners: 'P', debounce: 'D' },
  ...{ requests: 'I', audit: 'U' },
};

test('RUN-4 the stack.json describes a local stage', () => {
  expect(readStage({}, stackFile)).toEqual({
    endpoints: {
      dynamodb: 'http://127.0.0.1:1',
      secretsmanager: 'http://127.0.0.1:1',
      sqs: 'http://127.0.0.1:1',
    },
    name: 'local',
    tables,
    keySecrets: { access: 'A', session: 'E', pepper: 'S' },
    deadLetterQueueArn: 'Q',
    endpointsQueueUrl: 'http://127.0.0.1:1/Endpoints',
    dormancyMs: 2_000,
    functions: [],
  });
});

test('RUN-12 how far a local stage’s clock was moved on stands in its stack.json', () => {
  const stack = JSON.parse(readFileSync(stackFile, 'utf8'));
  const moved = write('moved.json', JSON.stringify({ ...stack, clock: { aheadMs: 120_000 } }));

  expect(readStage({ stack: moved }, stackFile).clockAheadMs).toBe(120_000);
});

test('RUN-4 the outputs of all stacks together describe a deployed stage', () => {
  const outputs = write(
    'outputs.json',
    JSON.stringify({
      data: {
        ...{ TransactionsTable: 'T', ListingTable: 'L', PartnersTable: 'P', DebounceTable: 'D' },
        ...{ RequestsTable: 'I', AuditTable: 'U' },
      },
      service: {
        ...{
          AccessKeysSecret: 'A',
          SessionKeysSecret: 'E',
          PepperSecret: 'S',
          BaseUrl: 'https://api.example',
          StageName: 'staging',
        },
        ...{ DeadLetterQueueArn: queueArn, EndpointsQueueUrl: 'https://sqs/E.fifo', DormancySeconds: '90' },
        Functions: 'v2-read=V2Read,v2-write=V2Write:100',
      },
    }),
  );

  expect(readStage({ outputs }, stackFile)).toEqual({
    name: 'staging',
    tables,
    keySecrets: { access: 'A', session: 'E', pepper: 'S' },
    deadLetterQueueArn: queueArn,
    endpointsQueueUrl: 'https://sqs/E.fifo',
    place: { region: 'eu-west-2', account: '111122223333', outputs },
    dormancyMs: 90_000,
    functions: [
      { name: 'v2-read', functionName: 'V2Read' },
      { name: 'v2-write', functionName: 'V2Write', reserved: 100 },
    ],
  });
});

test('RUN-8 outputs of two stages are refused, whatever else they have in common', () => {
  const outputs = write(
    'two.json',
    JSON.stringify({
      'transactions-staging-service': { StageName: 'staging', AuditTable: 'A', BaseUrl: 'https://a.example' },
      'transactions-production-service': { StageName: 'production', AuditTable: 'A' },
    }),
  );

  expect(() => readStage({ outputs }, stackFile)).toThrow(
    `${outputs} describes more than one stage: deploy each with an --outputs-file of its own.`,
  );
});

test.each([
  [
    '{}',
    'it lacks StageName, TransactionsTable, ListingTable, PartnersTable, DebounceTable, RequestsTable, AuditTable, AccessKeysSecret, SessionKeysSecret, PepperSecret, DeadLetterQueueArn, EndpointsQueueUrl, DormancySeconds, Functions.',
  ],
  [
    '{"data":{"TransactionsTable":"T","ListingTable":"L","DebounceTable":"D","RequestsTable":"I","AuditTable":"U","AccessKeysSecret":"A","SessionKeysSecret":"E","PepperSecret":"S"},"service":{"StageName":"s","DeadLetterQueueArn":"Q","EndpointsQueueUrl":"E","DormancySeconds":"120","Functions":""}}',
    'it lacks PartnersTable.',
  ],
  [
    '{"data":{"TransactionsTable":"T","ListingTable":"L","PartnersTable":"P","DebounceTable":"D","RequestsTable":"I","AuditTable":"U","AccessKeysSecret":"A","SessionKeysSecret":"E","PepperSecret":"S"},"service":{"StageName":"s","DeadLetterQueueArn":"Q","EndpointsQueueUrl":"E","Functions":""}}',
    'it lacks DormancySeconds.',
  ],
  ['[1]', 'it lacks StageName'],
  ['no', 'is not JSON.'],
])('RUN-4 outputs of %s are refused with the names of what is missing', (text, reason) => {
  const outputs = write('other.json', text);

  expect(() => readStage({ outputs }, stackFile)).toThrow(reason);
});

test('an incomplete stack.json is refused as not describing a running stage', () => {
  const stack = write('old.json', '{"baseUrl":"http://127.0.0.1:8787"}');

  expect(() => readStage({ stack }, stackFile)).toThrow(
    `${stack} does not describe a running stage: start it again.`,
  );
});
