import type { PartnerStore } from '../../bin/operator/store/partners/partner-store.ts';
import { createPartnerStore } from '../../bin/operator/store/partners/store.ts';
import { settingsOf } from '../../functions/shared/domain/event/timing.ts';
import type { Partner } from '../../functions/shared/domain/partner.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import { flushDue } from '../../functions/shared/publish/flush.ts';
import { createDebounceRowStore } from '../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log.ts';
import { createPartnerDirectory } from '../../functions/shared/store/partners/directory.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aPartner, aServedEndpoint } from '../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { createMeter } from '../support/engine/meter.ts';
import { readerWithoutDrift } from '../support/engine/transaction-reader.ts';
import { aPublishing } from '../support/memory/publishing.ts';

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
const settings = settingsOf(120_000);
const minute = 60_000;
/** What a partner's checkout holds: about 1 kB. */
const customer = { firstName: 'Ann', lastName: 'Example', email: 'ann@example.org', mobile: '07700 900000' };
const extras = Array.from({ length: 5 }, (_, id) => ({
  id,
  name: `Extra ${id}`,
  price: '199.00',
  quantity: 1,
}));

/** Stores over the engine, a clock that the benchmark sets, and a bus that takes every event. */
export const openPlace = async (endpoint: string) => {
  const documents = documentsOf(clientOf(endpoint));
  const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
  const clock = () => new Date(time.nowMs);
  const reader = readerWithoutDrift({ documents, ...tables, membersOf: async () => [] });
  let questions = 0;
  const debounceRows = createDebounceRowStore({ documents, ...tables, clock });
  const publishing = aPublishing({
    transactions: reader,
    partners: createPartnerDirectory({ documents, partnersTable: 'Partners', clock }),
    debounceRows: {
      ...debounceRows,
      due: (...asked) => {
        questions += 1;
        return debounceRows.due(...asked);
      },
    },
    deliveryLog: createDeliveryLogStore({ documents, ...tables, clock }),
    clock,
    settings,
  });
  return {
    ...{ documents, time, clock, reader, publishing },
    writer: createTransactionWriter({ documents, ...tables }),
    partners: servedFromTheStart(createPartnerStore({ documents, partnersTable: 'Partners' })),
    /** Questions to the index of what is due so far. */
    questions: () => questions,
    measure: createMeter(documents, tables.listingTable),
  };
};

/** Whoever is created is served, as if `keep-endpoints` had been there. */
const servedFromTheStart = (partners: PartnerStore): PartnerStore => ({
  ...partners,
  create: (credentials, signature) =>
    partners.create({ ...credentials, endpoint: aServedEndpoint() }, signature),
});

export type Place = Awaited<ReturnType<typeof openPlace>>;

export const partnerOf = (number: number): Partner =>
  aPartner({
    clientId: `PARTNER${number}`.padEnd(26, 'X'),
    name: `partner-${number}`,
    grants: [{ group: 'group-b' }],
    webhookUrl: 'https://partner.example/webhooks',
  });

export const create = async (place: Place, number: number, group: string): Promise<StoredTransaction> => {
  const values: Partial<Transaction> = { uuid: uuidOf(number), ndMeta: anOwner({ group }), customer, extras };
  const nowMs = place.clock().getTime();
  const outcome = await place.writer.create({
    ...aNewTransaction(values, { createdAtMs: nowMs, updatedAtMs: nowMs }),
    elementVersions: { ...aNewTransaction().elementVersions, customer: 1, extras: 1 },
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

export const recordChange = async ({ publishing, clock }: Place, uuid: string) => {
  const dueAtMs = clock().getTime() + settings.dormancyMs;
  await publishing.debounceRows.recordChange({ uuid, changed: ['customer'], dueAtMs });
};

export const flush = ({ publishing, clock }: Place) =>
  flushDue(publishing, { beginUntilMs: clock().getTime() + minute });
