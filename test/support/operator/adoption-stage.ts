import { adopt } from '../../../bin/operator/restore/adopt.ts';
import type { AdoptionReport, RestorableTable } from '../../../bin/operator/restore/adoption.ts';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createRecoveryStore } from '../../../bin/operator/store/recovery/store.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../../../functions/shared/store/debounce/delivery-log-page.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aDelivery, anEvent } from '../builders/events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { addTables, type TestEngine } from '../engine/engine.ts';
import { readerWithoutDrift } from '../engine/transaction-reader.ts';
import { createMemorySessions } from '../memory/sessions.ts';
import { memoryDeps, now } from './operator.ts';

let sets = 0;
/** The version that an adoption gives. */
export const floor = now.getTime();
export const hour = 3_600_000;

/** The stores of one stage over new tables, at a clock that stands still. */
export const anAdoptionStage = async (engine: TestEngine) => {
  sets += 1;
  const suffix = `-adopt-${sets}`;
  await addTables(engine.client, suffix);
  const { documents } = engine;
  const access = {
    documents,
    clock: () => now,
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    debounceTable: `Debounce${suffix}`,
    requestsTable: `Requests${suffix}`,
    auditTable: `Audit${suffix}`,
  };
  const { byUuid } = readerWithoutDrift({ ...access, membersOf: async () => [] });
  const debounceRows = createDebounceRowStore(access);
  const deliveryLog = { ...createDeliveryLogStore(access), ...createDeliveryLogPages(access) };
  const transactions = { byUuid, ...createTransactionWriter(access) };
  const requests = createRequestStore(access);
  const sessions = createMemorySessions();
  const { deps } = memoryDeps({
    sessions,
    debounceRows,
    deliveryLog,
    ids: createNumericIds(access),
    listing: createListingAuditor(access),
    recovery: createRecoveryStore(access),
  });
  Object.assign(deps.transactions, transactions);
  return { access, deps: { ...deps, sessions }, debounceRows, deliveryLog, transactions, requests };
};
export type AdoptionStage = Awaited<ReturnType<typeof anAdoptionStage>>;

export const owner = anOwner({ group: 'G' });
const message = (status: 0 | 1) => JSON.stringify({ detail: { ndMeta: owner, uuid: 'u', status } });

/** Up to `to`, this transaction was notified of to one partner. */
export const notify = async (
  { debounceRows, deliveryLog }: AdoptionStage,
  uuid: string,
  to: number,
  more: object = {},
) => {
  const event = anEvent({ eventId: `${uuid}-${to}`, uuid, to, claimedAtMs: floor - hour, ...more });
  const delivery = aDelivery({ eventId: event.eventId, uuid, to, claimedAtMs: floor - hour, ...more });
  const bodies = { plain: message(0) };
  await deliveryLog.addMissing({ event, bodies, deliveries: [{ ...delivery, state: 'DELIVERED' }] });
  const key = { uuid, kind: 'NOTIFY' } as const;
  await debounceRows.schedule(key, floor - hour);
  const row = await debounceRows.get(key);
  await debounceRows.passOver(key, { revision: row?.revision ?? 0, changeCount: row?.changeCount ?? 0 }, to);
};

/** A transaction of an hour ago. */
export const create = ({ transactions }: AdoptionStage, number: number, facts: object = {}) =>
  transactions.create(
    aNewTransaction({ uuid: uuidOf(number), ndMeta: owner }, { updatedAtMs: floor - hour, ...facts }),
  );

/** Adopts these tables. */
export const adoptOn = (
  stage: AdoptionStage,
  tables: RestorableTable[],
  deps = stage.deps,
): Promise<AdoptionReport> =>
  adopt(tables, { ...deps, step: () => {} }, { dryRun: false, record: async () => {} });
