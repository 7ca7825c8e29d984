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
const endpoint = 'http://127.0.0.1:1';
const keySecrets = { access: 'A', session: 'E', pepper: 'S' };
const tables = {
  ...{ transactions: 'T', listing: 'L', partners: 'P', debounce: 'D' },
  ...{ requests: 'I', audit: 'U' },
};

test('RUN-4 the stack.json describes a local stage', () => {
  expect(readStage({}, stackFile)).toEqual({
    endpoints: { dynamodb: endpoint, secretsmanager: endpoint, sqs: endpoint },
    ...{ name: 'local', tables, keySecrets, dormancyMs: 2_000, functions: [] },
    ...{ deadLetterQueueArn: 'Q', endpointsQueueUrl: `${endpoint}/Endpoints` },
  });
});

test('RUN-12 the stack.json says how far a local stage’s clock was moved forward', () => {
  const stack = JSON.parse(readFileSync(stackFile, 'utf8'));
  const moved = write('moved.json', JSON.stringify({ ...stack, clock: { aheadMs: 120_000 } }));

  expect(readStage({ stack: moved }, stackFile).clockAheadMs).toBe(120_000);
});

const data = {
  ...{ TransactionsTable: 'T', ListingTable: 'L', PartnersTable: 'P', DebounceTable: 'D' },
  ...{ RequestsTable: 'I', AuditTable: 'U' },
};
const service = {
  ...{ AccessKeysSecret: 'A', SessionKeysSecret: 'E', PepperSecret: 'S', StageName: 'staging' },
  ...{ DeadLetterQueueArn: queueArn, EndpointsQueueUrl: 'https://sqs/E.fifo', DormancySeconds: '90' },
  ...{ BaseUrl: 'https://api.example', Functions: 'v2-read=V2Read,v2-write=V2Write:100' },
};

test('RUN-4 the outputs of all stacks together describe a deployed stage', () => {
  const outputs = write('outputs.json', JSON.stringify({ data, service }));

  expect(readStage({ outputs }, stackFile)).toEqual({
    ...{ name: 'staging', tables, keySecrets, dormancyMs: 90_000 },
    ...{ deadLetterQueueArn: queueArn, endpointsQueueUrl: 'https://sqs/E.fifo' },
    place: { region: 'eu-west-2', account: '111122223333', outputs },
    functions: [
      { name: 'v2-read', functionName: 'V2Read' },
      { name: 'v2-write', functionName: 'V2Write', reserved: 100 },
    ],
  });
});

test.each([
  [
    { one: { StageName: 'a', BaseUrl: 'b' }, two: { StageName: 'c' } },
    'describes more than one stage: deploy each with an --outputs-file of its own.',
  ],
  [
    {},
    'it lacks StageName, TransactionsTable, ListingTable, PartnersTable, DebounceTable, RequestsTable, AuditTable, AccessKeysSecret, SessionKeysSecret, PepperSecret, DeadLetterQueueArn, EndpointsQueueUrl, DormancySeconds, Functions.',
  ],
  [{ data: { ...data, PartnersTable: undefined }, service }, 'it lacks PartnersTable.'],
  [{ data, service: { ...service, DormancySeconds: undefined } }, 'it lacks DormancySeconds.'],
  [[1], 'it lacks StageName'],
  ['no', 'is not JSON.'],
])('RUN-4 RUN-8 outputs of %j are refused with the names of the missing ones', (described, reason) => {
  const outputs = write('other.json', described === 'no' ? 'no' : JSON.stringify(described));

  expect(() => readStage({ outputs }, stackFile)).toThrow(reason);
});

test('an incomplete stack.json is refused', () => {
  const stack = write('old.json', '{"baseUrl":"http://127.0.0.1:8787"}');

  expect(() => readStage({ stack }, stackFile)).toThrow(
    `${stack} does not describe a running stage: start it again.`,
  );
});
