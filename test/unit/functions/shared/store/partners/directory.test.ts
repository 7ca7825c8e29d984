import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  type QueryCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { faultProblem } from '../../../../../../functions/shared/middleware/faults.ts';
import { createPartnerDirectory } from '../../../../../../functions/shared/store/partners/directory.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';

const partners = ['P1', 'P2', 'P3'].map((clientId) => aPartner({ clientId, name: `Partner ${clientId}` }));
const clientIds = partners.map(({ clientId }) => clientId);
const profiles = partners.map((partner) => ({ partner, webhook: {}, endpoint: { servesFromMs: 1_000 } }));

type Answer = Record<string, unknown>;
type Command = BatchGetCommand | QueryCommand | TransactGetCommand;

/** A directory over a client of fixed answers; a thousand requests are taken for a loop without end. */
const directoryOf = (answer: (command: Command) => Answer) => {
  const waits: number[] = [];
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
    retryDelays: { random: () => 1, sleep: async (milliseconds) => waits.push(milliseconds) },
  });
  return { directory, waits, requests: () => requests };
};

const keysOf = (command: Command) =>
  command instanceof BatchGetCommand ? (command.input.RequestItems?.Partners?.Keys ?? []) : [];

test('ERR-4: keys that stay unprocessed for ten rounds are unavailable', async () => {
  const { directory, waits, requests } = directoryOf((command) => ({
    UnprocessedKeys: { Partners: { Keys: keysOf(command) } },
  }));

  const fault = await directory.byClientIds(clientIds).catch((error: unknown) => error);

  expect(requests()).toBe(10);
  expect(waits).toEqual([50, 100, 200, 400, 400, 400, 400, 400, 400]);
  expect(faultProblem(fault)).toMatchObject({ problem: 'unavailable', headers: { 'Retry-After': '2' } });
});

test('keys that stay unprocessed twice are requested again, after a wait each time', async () => {
  const { directory, waits, requests } = directoryOf((command) => {
    const keys = keysOf(command);
    const left = keys.slice(keys.length > 3 ? 2 : 1);
    return {
      Responses: { Partners: [profiles[keys.length > 3 ? 0 : 3 - keys.length]] },
      UnprocessedKeys: left.length > 0 ? { Partners: { Keys: left } } : {},
    };
  });

  const found = await directory.byClientIds(clientIds);

  expect([...found.keys()]).toEqual(clientIds);
  expect(requests()).toBe(3);
  expect(waits).toEqual([50, 100]);
});

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

test('GRANT-4: grantees of many owners beyond one request are read in parts', async () => {
  const { directory } = directoryOf((command) => {
    if (command instanceof BatchGetCommand) return { Responses: { Partners: profiles } };
    if (!(command instanceof TransactGetCommand)) throw new TypeError('No such request');
    const { TransactItems = [] } = command.input;
    if (TransactItems.length > 8) throw tooLarge();
    return { Responses: TransactItems.map(() => ({ Item: { clientIds: new Set(clientIds) } })) };
  });

  expect(await directory.ofOwners(ownersOf(25))).toEqual(partners);
});

test('GRANT-4: an unavailable store is not read in parts', async () => {
  const { directory, requests } = directoryOf(() => {
    throw Object.assign(new Error('silence'), { name: 'TimeoutError' });
  });

  await expect(directory.ofOwners(ownersOf(2))).rejects.toThrow('silence');
  expect(requests()).toBe(1);
});

test('GRANT-4: a refusal for a single owner is a fault', async () => {
  const { directory, requests } = directoryOf(() => {
    throw tooLarge();
  });

  await expect(directory.ofOwners(ownersOf(2))).rejects.toThrow('Transaction cancelled');
  expect(requests()).toBe(3);
});

test('GRANT-4 ERR-4: a store at its limit is requested ten times, and not in parts', async () => {
  const { directory, requests } = directoryOf(() => {
    throw Object.assign(new Error('declined'), { name: 'ThrottlingException' });
  });

  await expect(directory.ofOwners(ownersOf(2))).rejects.toThrow('declined');
  expect(requests()).toBe(10);
});
