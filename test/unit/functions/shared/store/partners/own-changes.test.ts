import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createOwnChanges } from '../../../../../../functions/shared/store/partners/own-changes.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';

test('WR-1 V2-13 a change whose answer was lost is sent again with its token, so that it does not count as changed meanwhile', async () => {
  const tokens: unknown[] = [];
  const send = async ({ input }: TransactWriteCommand) => {
    tokens.push(input.ClientRequestToken);
    if (tokens.length === 1) throw Object.assign(new Error(), { name: 'socket hang up' });
    return {};
  };
  const { replaceWebhook } = createOwnChanges({
    documents: { send } as unknown as DynamoDBDocumentClient,
    partnersTable: 'Partners',
    retryDelays: { random: () => 0, sleep: async () => {} },
  });

  await replaceWebhook({ before: aPartner(), after: aPartner({ webhookUrl: 'https://p.example/' }) }, {});

  expect(tokens).toEqual([expect.any(String), tokens[0]]);
});
