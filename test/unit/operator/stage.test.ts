import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readStage } from '../../../functions/shared/operator/stage.ts';
import { aWorkspace } from '../../support/operator.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('RUN-4 a local stage is what its stack.json says', () => {
  expect(readStage({}, stackFile)).toEqual({
    endpoints: { dynamodb: 'http://127.0.0.1:1', secretsmanager: 'http://127.0.0.1:1' },
    tables: { transactions: 'T', listing: 'L', partners: 'P' },
    pepperSecret: 'S',
  });
});

test('RUN-4 a deployed stage is what its stacks put out, whichever stack it was', () => {
  const outputs = write(
    'outputs.json',
    JSON.stringify({
      data: { TransactionsTable: 'T', ListingTable: 'L', PartnersTable: 'P' },
      service: { PepperSecret: 'S', BaseUrl: 'https://api.example' },
    }),
  );

  expect(readStage({ outputs }, stackFile)).toEqual({
    tables: { transactions: 'T', listing: 'L', partners: 'P' },
    pepperSecret: 'S',
  });
});

test.each([
  ['{}', 'it lacks TransactionsTable, ListingTable, PartnersTable, PepperSecret.'],
  ['{"data":{"TransactionsTable":"T","ListingTable":"L","PepperSecret":"S"}}', 'it lacks PartnersTable.'],
  ['[1]', 'it lacks TransactionsTable'],
  ['no', 'is not JSON.'],
])('outputs of %s are refused with what is missing', (text, reason) => {
  const outputs = write('other.json', text);

  expect(() => readStage({ outputs }, stackFile)).toThrow(reason);
});

test('a stack.json that lacks what the tool needs is said to be of no running stage', () => {
  const stack = write('old.json', '{"baseUrl":"http://127.0.0.1:8787"}');

  expect(() => readStage({ stack }, stackFile)).toThrow(
    `${stack} does not describe a running stage: start it again.`,
  );
});
