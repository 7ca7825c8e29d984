import { expect, test } from '@jest/globals';
import {
  decideRecipient,
  type RecipientDecision,
  recipientsOf,
  type ServedPartner,
} from '../../../../../../functions/shared/domain/event/recipient.ts';
import type { Partner } from '../../../../../../functions/shared/domain/partner.ts';
import { aPartner } from '../../../../../support/builders/a-partner.ts';
import { anOwner } from '../../../../../support/builders/transactions.ts';

const receiver = aPartner({ webhookUrl: 'https://partner.example/', grants: [{ group: 'group-a' }] });
const { webhookUrl: _, ...withoutEndpoint } = receiver;
const owner = anOwner({ group: 'group-a' });

test.each<[string, RecipientDecision, ServedPartner | undefined]>([
  ['who sees it is sent it', 'send', receiver],
  ['who only reads is sent it', 'send', { ...receiver, oauthScopes: ['nop2/read'] }],
  ['who is paused gets it later', 'hold', { ...receiver, webhookPaused: 'operator' }],
  ['whose endpoint is not on the bus yet gets it later', 'hold', { ...receiver, isUnserved: true }],
  ['who is gone gets nothing', 'DISABLED', undefined],
  [
    'who is disabled gets nothing, paused or not',
    'DISABLED',
    { ...receiver, enabled: false, webhookPaused: 'operator' },
  ],
  ['who has no endpoint gets nothing', 'NO_ENDPOINT', withoutEndpoint],
  ['S-11 who may only write gets nothing', 'MAY_NOT_READ', { ...receiver, oauthScopes: ['nop2/write'] }],
  ['who has no OAuth scope gets nothing', 'MAY_NOT_READ', { ...receiver, oauthScopes: [] }],
  ['who has no grant for it gets nothing', 'OUT_OF_SCOPE', { ...receiver, grants: [{ group: 'group-b' }] }],
  [
    'who is paused keeps nothing that it may not see',
    'OUT_OF_SCOPE',
    { ...receiver, grants: [], webhookPaused: 'operator' },
  ],
])('GRANT-2 S-06 %s: %s', (_name, decision, partner) => {
  expect(decideRecipient(partner, owner)).toBe(decision);
});

test('GRANT-1 a transaction without an owner has no recipients', () => {
  expect(decideRecipient(receiver, undefined)).toBe('OUT_OF_SCOPE');
});

test('I9 the recipients are those who are sent it, now or later', () => {
  const paused: Partner = { ...receiver, clientId: 'P2', webhookPaused: 'operator' };
  const writer: Partner = { ...receiver, clientId: 'P3', oauthScopes: ['nop2/write'] };

  expect(recipientsOf([receiver, paused, writer, withoutEndpoint], owner)).toEqual([receiver, paused]);
});
