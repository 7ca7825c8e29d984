import { expect, test } from '@jest/globals';
import type { Partner } from '../../../../../functions/shared/domain/partner.ts';
import type { ClaimedEvent } from '../../../../../functions/shared/publish/claim.ts';
import { createInvocation } from '../../../../../functions/shared/publish/invocation.ts';
import { judgeAll } from '../../../../../functions/shared/publish/judge.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aDelivery, anEvent, claimedAtMs, someBodies } from '../../../../support/builders/events.ts';
import { anOwner } from '../../../../support/builders/transactions.ts';
import { aPublishing, directoryOf, memoryStores } from '../../../../support/memory/publishing.ts';

const partner = aPartner({ clientId: 'P1', webhookUrl: 'https://partner.example/' });

/** The result for a partner: the text that is sent, or the state and reason with which it is withheld. */
const judged = async (changes: Partial<Partner>, facts: Partial<ClaimedEvent>) => {
  const stores = memoryStores(() => new Date(claimedAtMs));
  await stores.deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery()] });
  const partners = directoryOf([{ ...partner, ...changes }]);
  const deps = aPublishing({ ...stores, partners, clock: () => new Date(claimedAtMs) });
  const claimed = {
    ...{ event: anEvent(), bodies: someBodies, deliveries: [], leasedAtMs: claimedAtMs },
    ...{ owner: anOwner(), isDeletedSince: false, ...facts },
  };
  const invocation = createInvocation(deps, { beginUntilMs: claimedAtMs + 1_000, onFault: () => {} });

  const { addressed } = await judgeAll([{ claimed, delivery: aDelivery() }], invocation);

  const { state, reason } = (await stores.deliveryLog.delivery(aDelivery())) ?? {};
  return addressed[0]?.entry.message ?? [state, reason].filter(Boolean).join(' ');
};

const deleted = { isDeletedSince: true };
const expired = { bodies: undefined };

test.each<[string, Partial<Partner>, Partial<ClaimedEvent>]>([
  ['{"plain":true}', {}, {}],
  ['{"tokens":true}', { showsPaymentTokens: true }, {}],
  ['{"plain":true}', { showsPaymentTokens: true }, { bodies: { plain: someBodies.plain } }],
  ['HELD', { webhookPaused: 'operator' }, { ...deleted, ...expired }],
  ['SUPPRESSED DISABLED', { enabled: false }, { ...deleted, ...expired }],
  ['SUPPRESSED OUT_OF_SCOPE', { grants: [] }, { ...deleted, ...expired }],
  ['SUPPRESSED DELETED', {}, { ...deleted, ...expired }],
  ['SUPPRESSED EXPIRED', {}, expired],
])('S-54 SHOW-1 DEL-1 what the partner may see comes first (%#): %s', async (outcome, changes, facts) => {
  expect(await judged(changes, facts)).toBe(outcome);
});
