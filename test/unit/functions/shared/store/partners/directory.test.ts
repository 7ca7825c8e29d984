import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  type QueryCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createPartnerDirectory } from '../../../../../../functions/shared/store/partners/directory.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';

const partners = ['P1', 'P2', 'P3'].map((clientId) => aPartner({ clientId, name: `Partner ${clientId}` }));
const clientIds = partners.map(({ clientId }) => clientId);
const profiles = partners.map((partner) => ({ partner, webhook: {}, endpoint: { servesFromMs: 1_000 } }));

type Answer = Record<string, unknown>;
type Command = BatchGetCommand | QueryCommand | TransactGetCommand;

/** A directory over a client of fixed answers; a thousand requests are taken for a loop without end. */
const directoryOf = (answer: (command: Command) => Answer) => {
  let requests = 0;
  const send = async (command: Command) => {
    requests += 1;
    if (requests > 1_000) throw new TypeError('The directory asks without end');
    return answer(command);
  };
  const directory = createPartnerDirectory({
    documents: { send } as unknown as DynamoDBDocumentClient,
    partnersTable: 'Partners',
    clock: () => new Date(1_000),
    retryDelays: { random: () => 1, sleep: async () => {} },
  });
  return { directory, requests: () => requests };
};

/** DynamoDB's answer if the items have more than 4 MB. */
const tooLarge = () =>
  Object.assign(new Error('Transaction cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'ValidationError' }],
    $metadata: { httpStatusCode: 400 },
  });

const ownersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ group: `G${index}`, franchise: 'F1', location: 'L1', branch: '', groupSoftware: '' },
  }));

test('GRANT-4 grantees of many owners beyond one request are read in parts', async () => {
  const { directory } = directoryOf((command) => {
    if (command instanceof BatchGetCommand) return { Responses: { Partners: profiles } };
    if (!(command instanceof TransactGetCommand)) throw new TypeError('No such request');
    const { TransactItems = [] } = command.input;
    if (TransactItems.length > 8) throw tooLarge();
    return { Responses: TransactItems.map(() => ({ Item: { clientIds: new Set(clientIds) } })) };
  });

  expect(await directory.ofOwners(ownersOf(25))).toEqual(partners);
});

test.each([
  ['GRANT-4 an unavailable store is not read in parts', 'TimeoutError', 1],
  ['GRANT-4 ERR-4 a store at its limit is requested ten times, and not in parts', 'ThrottlingException', 10],
])('%s', async (_, name, count) => {
  const { directory, requests } = directoryOf(() => {
    throw Object.assign(new Error('declined'), { name });
  });

  await expect(directory.ofOwners(ownersOf(2))).rejects.toThrow('declined');
  expect(requests()).toBe(count);
});

test('GRANT-4 a refusal for a single owner is a fault', async () => {
  const { directory, requests } = directoryOf(() => {
    throw tooLarge();
  });

  await expect(directory.ofOwners(ownersOf(2))).rejects.toThrow('Transaction cancelled');
  expect(requests()).toBe(3);
});
