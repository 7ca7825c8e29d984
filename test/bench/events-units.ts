import { randomUUID } from 'node:crypto';
import { createPartnerStore } from '../../bin/operator/store/partners/store.ts';
import { settingsOf } from '../../functions/shared/domain/event/timing.ts';
import type { Partner } from '../../functions/shared/domain/partner.ts';
import type { Transaction } from '../../functions/shared/domain/transaction/transaction.ts';
import { flushDue, newRun } from '../../functions/shared/events/flush.ts';
import { notifyKey } from '../../functions/shared/events/rows.ts';
import { type SendDeps, sendRows } from '../../functions/shared/events/send.ts';
import { createDebounceTable } from '../../functions/shared/events/table.ts';
import { createPartnerDirectory } from '../../functions/shared/store/partners/directory.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aPartner, aServedEndpoint } from '../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { createMeter } from '../support/engine/meter.ts';
import { readerWithoutDrift } from '../support/engine/transaction-reader.ts';

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

/** What events cost: stores over the engine, a clock of its own, and a bus that takes every event. */
export const openPlace = async (endpoint: string) => {
  const documents = documentsOf(clientOf(endpoint));
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  const clock = () => new Date(nowMs);
  const table = createDebounceTable({ documents, ...tables });
  const writer = createTransactionWriter({ documents, ...tables });
  const partners = createPartnerStore({ documents, partnersTable: 'Partners' });
  const measure = createMeter(documents, tables.listingTable);
  const deps: SendDeps = {
    transactions: readerWithoutDrift({ documents, ...tables, membersOf: async () => [] }),
    partners: createPartnerDirectory({ documents, partnersTable: 'Partners', clock }),
    bus: { put: async (entries) => entries.map(() => ({ outcome: 'accepted', busEventId: 'bus-1' })) },
    isStopped: async () => false,
    newId: randomUUID,
    pause: async () => {},
    log: () => {},
    stage: 'local',
    origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
    ...{ table, clock, settings },
  };
  const untilMs = () => nowMs + minute;
  return {
    documents,
    measure,
    /** A partner that is served, as if `keep-endpoints` had been there. */
    register: (number: number, group: string) =>
      partners.create(
        { partner: partnerOf(number, group), secrets: [], endpoint: aServedEndpoint() },
        'signature',
      ),
    /** A poll, which finds what is due by the index. */
    poll: () => measure(() => flushDue(deps, { beginUntilMs: untilMs() })),
    /** A change of a new transaction, and the event about it: the units of the wake-up, and those of the sender. */
    tell: async (number: number, group: string) => {
      const values: Partial<Transaction> = {
        uuid: uuidOf(number),
        ndMeta: anOwner({ group }),
        customer,
        extras,
      };
      const made = await writer.create({
        ...aNewTransaction(values, { createdAtMs: nowMs, updatedAtMs: nowMs }),
        elementVersions: { ...aNewTransaction().elementVersions, customer: 1, extras: 1 },
      });
      if (!made.ok) throw new Error(made.reason);
      const { uuid } = made.value.transaction;
      const dueAtMs = nowMs + settings.dormancyMs;
      const recorded = await measure(() => table.recordChange({ uuid, changed: ['customer'], dueAtMs }));
      nowMs += 10 * minute;
      const run = newRun(deps, untilMs());
      const sent = await measure(() => sendRows([notifyKey(uuid)], run));
      return { recorded, sent, events: run.counts.sent };
    },
  };
};

const partnerOf = (number: number, group: string): Partner =>
  aPartner({
    clientId: `PARTNER${number}`.padEnd(26, 'X'),
    name: `partner-${number}`,
    grants: [{ group }],
    webhookUrl: 'https://partner.example/webhooks',
  });
