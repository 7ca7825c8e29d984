import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { firstRing } from '../../../functions/shared/domain/keys/key-ring.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createCursorStore } from '../../../functions/shared/store/debounce/cursors.ts';
import { createLedgerStore } from '../../../functions/shared/store/debounce/ledger.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';
import { createWebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { createDenylistWriter } from '../../../functions/shared/store/requests/denylist.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createWrongSecretStore } from '../../../functions/shared/store/requests/wrong-secrets.ts';
import { createRevokedSessions } from '../../../functions/shared/store/sessions/revoked-sessions.ts';
import { createStorefrontStore } from '../../../functions/shared/store/storefronts/store.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aDelivery, anEvent, claimedAtMs, someBodies } from '../builders/events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../builders/whole-elements.ts';
import type { TestEngine } from '../engine/engine.ts';

/** The names of the tables of one set, and what stores are opened with. */
export const placeOf = ({ documents }: TestEngine, suffix: string) => ({
  documents,
  transactionsTable: `Transactions${suffix}`,
  listingTable: `Listing${suffix}`,
  partnersTable: `Partners${suffix}`,
  debounceTable: `Debounce${suffix}`,
  requestsTable: `Requests${suffix}`,
  auditTable: `Audit${suffix}`,
  clock: () => now,
  membersOf: async () => [{ franchise: 'franchise-a', location: 'location-a' }],
});
type Place = ReturnType<typeof placeOf>;

/** When everything was written. */
export const now = new Date(claimedAtMs);
const expiresAtMs = claimedAtMs + 86_400_000;

/** Every kind of item that the service stores, by the methods that store it. */
export const writeItems = async (place: Place): Promise<void> => {
  await writeTransactions(place);
  await writePartners(place);
  await writeRequests(place);
  await writeEvents(place);
};

const writeTransactions = async (place: Place) => {
  const writer = createTransactionWriter(place);
  const whole = {
    vehicle: { identifiers: { ndstockid: 'stock-1', salesmasterid: 'sales-1' } },
    deliveryCollection: aWholeDelivery(),
    payments: [aWholePayment({ id: 7 })],
    customer: { email: 'ada@example.com' },
  };
  const facts = { session: 'session-1', createdAtMs: claimedAtMs };
  const first = await writer.create(aNewTransaction({ uuid: uuidOf(1), ...whole }, facts));
  await writer.create(aNewTransaction({ uuid: uuidOf(2) }, facts), { sessionLimit: 20 });
  const deleted = await writer.create(aNewTransaction({ uuid: uuidOf(3) }));
  if (!first.ok || !deleted.ok) throw new Error('A transaction could not be made.');
  const ndMeta = anOwner({ franchise: 'franchise-b' });
  await writer.replace(first.value, changed(first.value, { status: 1, ndMeta }));
  await writer.replace(deleted.value, changed(deleted.value, { isDeleted: 1 }));
  await createNumericIds(place).next();
};

const changed = (stored: StoredTransaction, values: object): StoredTransaction => ({
  ...stored,
  version: 2,
  elementVersions: { ...stored.elementVersions, payments: 2 },
  updatedAtMs: claimedAtMs + 1000,
  transaction: { ...stored.transaction, ...values },
});

const writePartners = async (place: Place) => {
  const partners = createPartnerStore(place);
  const partner = {
    clientId: 'P1',
    name: 'acme',
    enabled: true,
    oauthScopes: ['nop2/read' as const],
    grants: [{ group: 'group-a' }],
    showsPaymentTokens: false,
    createdAtMs: claimedAtMs,
    webhookUrl: 'https://acme.example/hook',
  };
  const secret = { id: 'one', madeBy: 'ada', hash: 'hash', pepperId: '0', createdAtMs: claimedAtMs };
  await partners.create({ partner, secrets: [secret] }, 'signature');
  await createStorefrontStore(place).register({
    name: 'leeds',
    owner: anOwner(),
    origins: ['https://shop.example'],
    retired: false,
    createdAtMs: claimedAtMs,
  });
  await createRingStore(place).replace('access', firstRing([{ kid: 'a', jwk: publicKey }], claimedAtMs));
  await createWebhookSwitch(place).stop(claimedAtMs);
  await createRevokedSessions(place).revoke('session-2', { now, until: new Date(expiresAtMs) });
  await createAuditStore(place).append({
    who: 'ada',
    command: 'partner create',
    arguments: { name: 'acme' },
    atMs: claimedAtMs,
  });
};

const publicKey = { kty: 'RSA', kid: 'a', alg: 'RS256', use: 'sig', n: 'n', e: 'AQAB' };

const writeRequests = async (place: Place) => {
  const answer = { status: 200, headers: { ETag: '"2.x"' }, body: '{}' };
  const record = { id: 'record-1', bodyHash: 'hash', uuid: uuidOf(1), answer, expiresAtMs };
  await createRequestStore(place).remember(record, now);
  await createDenylistWriter(place).add({ jti: 's1.a', expiresAtMs });
  await createWrongSecretStore(place).add('P1', claimedAtMs);
};

const writeEvents = async (place: Place) => {
  const change = { changed: ['payments'], changedAtMs: claimedAtMs, dueAtMs: claimedAtMs + 120_000 };
  await createCursorStore(place).recordChange({ uuid: uuidOf(1), ...change });
  const ledger = createLedgerStore(place);
  await ledger.addMissing({ event: anEvent(), bodies: someBodies, deliveries: [aDelivery()] });
  const entry = { atMs: claimedAtMs, step: 'accepted' } as const;
  const key = { eventId: 'event-1', clientId: 'P1' };
  await ledger.move({
    ...key,
    from: ['READY'],
    to: 'ACCEPTED',
    atMs: claimedAtMs,
    entry,
    busEventId: 'bus-1',
  });
};

/** Items as DynamoDB has them on the wire, by the name of their table. */
export type StoredItems = Record<string, Record<string, object>[]>;

export const tableNames = ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'] as const;

export const readItems = async ({ client }: TestEngine, suffix: string): Promise<StoredItems> => {
  const found: StoredItems = {};
  for (const name of tableNames) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: `${name}${suffix}` }));
    found[name] = Items;
  }
  return found;
};
