import { randomUUID } from 'node:crypto';
import { adopt } from '../../../bin/operator/restore/adopt.ts';
import type { AdoptionReport, RestorableTable } from '../../../bin/operator/restore/adoption.ts';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createRecoveryStore } from '../../../bin/operator/store/recovery/store.ts';
import type { ServedPartner } from '../../../functions/shared/domain/event/recipient.ts';
import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { flushDue } from '../../../functions/shared/events/flush.ts';
import { type LogLine, notesOf, notifyKey } from '../../../functions/shared/events/rows.ts';
import type { SendDeps } from '../../../functions/shared/events/send.ts';
import { createDebounceTable, createSentLog } from '../../../functions/shared/events/table.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aPartner } from '../builders/a-partner.ts';
import { origin } from '../builders/sent-events.ts';
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
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    debounceTable: `Debounce${suffix}`,
    requestsTable: `Requests${suffix}`,
    auditTable: `Audit${suffix}`,
  };
  const { byUuid } = readerWithoutDrift({ ...access, membersOf: async () => [] });
  const debounce = createDebounceTable(access);
  const transactions = { byUuid, ...createTransactionWriter(access) };
  const requests = createRequestStore(access);
  const sessions = createMemorySessions();
  const { deps } = memoryDeps({
    sessions,
    debounce,
    sentLog: createSentLog(access),
    ids: createNumericIds(access),
    listing: createListingAuditor(access),
    recovery: createRecoveryStore(access),
  });
  Object.assign(deps.transactions, transactions);
  return { access, deps: { ...deps, sessions }, debounce, transactions, requests };
};
export type AdoptionStage = Awaited<ReturnType<typeof anAdoptionStage>>;

export const owner = anOwner({ group: 'G' });
/** Up to `to`, this transaction was sent to one partner; a completion stands beside the chain of updates. */
export const notify = async (
  { debounce }: AdoptionStage,
  uuid: string,
  to: number,
  more: Partial<LogLine> & { status?: 0 | 1 } = {},
) => {
  const { status = 0, ...facts } = more;
  const line = { ...aLine(uuid, to), ...facts };
  await debounce.write(notesOf([line], () => `${uuid}-${to}`, { ndMeta: owner, status }));
  if (line.type !== 'TransactionUpdated') return;
  const [row] = await debounce.read([notifyKey(uuid)]);
  await debounce.save({ ...notifyKey(uuid), revision: 0, ...row, notifiedVersion: to } as never);
};

const aLine = (uuid: string, to: number): LogLine => ({
  ...{ clientId: 'P1', atMs: floor - hour, eventId: `${uuid}-${to}`, uuid },
  ...{ type: 'TransactionUpdated', from: to - 1, to, outcome: 'SENT' },
});

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

const receiver = aPartner({ clientId: 'P1', grants: [{ group: 'G' }], webhookUrl: 'https://p.example/' });

/** What the sender sends to P1 in the hour after the adoption, as `<type> <from>-<to>`. */
export const sentAfterwards = async (
  { debounce, transactions, deps }: AdoptionStage,
  partner: ServedPartner = receiver,
): Promise<string[]> => {
  const time = { nowMs: floor };
  const sent: string[] = [];
  const sender: SendDeps = {
    table: debounce,
    transactions: { byUuids: (uuids) => oneByOne(uuids, transactions.byUuid) },
    partners: {
      ofOwners: async () => [partner],
      byClientIds: async () => new Map([[partner.clientId, partner]]),
    },
    bus: {
      put: async (entries) => {
        sent.push(...entries.map(({ type, from, to }) => `${type.replace('Transaction', '')} ${from}-${to}`));
        return entries.map(({ eventId }) => ({ outcome: 'accepted', busEventId: eventId }));
      },
    },
    ...{ isStopped: async () => false, newId: () => randomUUID(), pause: async () => {}, log: () => {} },
    ...{ clock: () => new Date(time.nowMs), settings: settingsOf(deps.events.dormancyMs) },
    ...{ stage: 'local', origin },
  };
  for (const seconds of [0, 10, 20, 30, 125, 150, 180, 3_600]) {
    time.nowMs = floor + seconds * 1000;
    await flushDue(sender, { beginUntilMs: time.nowMs + 10_000 });
  }
  return sent;
};

const oneByOne = async (uuids: readonly string[], byUuid: AdoptionStage['transactions']['byUuid']) => {
  const found = await Promise.all(uuids.map(byUuid));
  return new Map(found.flatMap((stored) => (stored ? [[stored.transaction.uuid, stored] as const] : [])));
};
