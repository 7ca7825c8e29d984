import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

const shop = 'https://cursors.example';
let stage: OpenStage;
let buyer: ReturnType<typeof aBrowserOn>;
let partners: Credentials[];

/** Two partners of one group, and a session with two transactions of it. */
beforeAll(async () => {
  stage = await sharedStage();
  const operate = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const aPartner = async (name: string) => {
    const made = await operate('partner', 'create', '--name', name, '--grant', 'group=cursors');
    if (!made.ok) throw new Error(made.reason);
    return made.value as Credentials;
  };
  const owner = ['--group', 'cursors', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  await operate('storefront', 'create', '--name', 'of-cursors', ...owner, '--origin', shop);
  partners = [await aPartner('of-cursors'), await aPartner('of-cursors-too')];
  buyer = aBrowserOn(stage, shop);
  await buyer.send('/api/transaction');
  await buyer.send('/api/transaction', { method: 'POST', body: {} });
}, 120_000);

/** The key under which the cursors of a partner, or of all sessions, are closed. */
const keyOf = async (owner: string): Promise<Buffer> => {
  const { endpoints, variables } = stage.stack.operator;
  const Key = { pk: `SEAL#${owner}`, sk: '0' };
  const documents = documentsOf(clientOf(endpoints.dynamodb));
  const { Item } = await documents.send(new GetCommand({ TableName: variables.REQUESTS_TABLE, Key }));
  return Buffer.from(Item?.key ?? '');
};

const cursorIn = ({ _links }: { _links: Record<string, { href: string }> }) =>
  new URL(_links.next?.href ?? '').searchParams.get('after');

test('LINK-5 each partner has a random key for the cursors of its lists, and all V1 sessions have one', async () => {
  const programs = await Promise.all(partners.map((one) => aPartnerProgram(stage, one)));
  const lists = await Promise.all(programs.map((one) => one.get('/api/v2/transaction?per-page=1')));
  const ofSession = await buyer.send('/api/transaction?filter[status]=0&per-page=1');

  const cursors = [...lists.map((list) => list.json()), ofSession.body].map(cursorIn);
  const keys = await Promise.all([...partners.map(({ clientId }) => keyOf(clientId)), keyOf('V1')]);

  expect(cursors).toEqual(cursors.map(() => expect.stringMatching(/^[\w-]{144}$/)));
  expect(new Set(cursors).size).toBe(3);
  expect(keys.map(({ length }) => length)).toEqual([32, 32, 32]);
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
  expect(keys.filter((key) => new Set(key).size < 16)).toEqual([]);
});
