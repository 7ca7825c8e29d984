import type { DebounceRow } from '../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../functions/shared/domain/event/delivery.ts';
import { covers } from '../../functions/shared/domain/ownership/grant.ts';
import { presentTransaction } from '../../functions/shared/domain/query/projection.ts';
import {
  elementNames,
  type JsonObject,
  type StoredTransaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { DebounceRowStore } from '../../functions/shared/store/debounce/debounce-row-store.ts';
import type { DeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log-store.ts';
import type { DemoPartner } from '../stack-file.ts';
import type { Condition } from '../webhook-receiver/condition.ts';

/** The state of the stage that the page shows. */
export type View = {
  nowMs: number;
  aheadMs: number;
  dormancyMs: number;
  partners: { name: string; condition: Condition }[];
  transactions: TransactionRow[];
  deliveries: DeliveryRow[];
};

export type TransactionRow = {
  uuid: string;
  /** The transaction as a partner without payment tokens reads it. */
  transaction: JsonObject;
  version: number;
  changedAtMs: number;
  /** The demo partners that may read it. */
  partners: string[];
  /** When its debounce row is due; absent without pending changes. */
  dueAtMs?: number;
  isBeingSent: boolean;
  pending: string[];
};

/** `message` is the sent body without payment tokens; absent where it is not kept. */
export type DeliveryRow = Delivery & { partner: string; message?: string | undefined };

export type ViewDeps = {
  now: Clock;
  aheadMs: () => number;
  dormancyMs: number;
  partners: readonly DemoPartner[];
  conditionOf: (partner: string) => Condition;
  /** The uuids of the shown transactions, the last changed first. */
  shown: () => readonly string[];
  transactions: (uuids: readonly string[]) => Promise<Map<string, StoredTransaction>>;
  debounceRows: Pick<DebounceRowStore, 'getMany'>;
  deliveryLog: Pick<DeliveryLogStore, 'deliveriesOfPartner' | 'event'>;
};

const deliveriesShown = 20;

/**
 * Reads the view from the stage's stores. Shown deliveries stay until newer ones replace them, although the delivery log drops
 * them when the clock is moved.
 */
export const createViewReader = (deps: ViewDeps) => {
  let deliveries: DeliveryRow[] = [];
  return async (): Promise<View> => {
    const uuids = deps.shown();
    const [transactions, debounceRows, newest] = await Promise.all([
      deps.transactions(uuids),
      deps.debounceRows.getMany(uuids),
      newestDeliveries(deps, deliveries),
    ]);
    deliveries = newest;
    return {
      nowMs: deps.now().getTime(),
      aheadMs: deps.aheadMs(),
      dormancyMs: deps.dormancyMs,
      partners: deps.partners.map(({ name }) => ({ name, condition: deps.conditionOf(name) })),
      transactions: uuids.flatMap((uuid) => {
        const stored = transactions.get(uuid);
        return stored ? [rowOf(stored, debounceRows.get(uuid), deps.partners)] : [];
      }),
      deliveries,
    };
  };
};

const newestDeliveries = async ({ partners, deliveryLog }: ViewDeps, before: readonly DeliveryRow[]) => {
  const read = await Promise.all(partners.map((partner) => deliveriesOf(partner, deliveryLog)));
  const rows = new Map([...before, ...read.flat()].map((row) => [`${row.eventId} ${row.partner}`, row]));
  const newest = [...rows.values()]
    .toSorted((one, other) => other.claimedAtMs - one.claimedAtMs)
    .slice(0, deliveriesShown);
  const messages = new Map(before.map(({ eventId, message }) => [eventId, message]));
  const messageOf = async (eventId: string) =>
    messages.get(eventId) ?? (await deliveryLog.event(eventId))?.bodies?.plain;
  return Promise.all(newest.map(async (row) => ({ ...row, message: await messageOf(row.eventId) })));
};

const deliveriesOf = async ({ name, clientId }: DemoPartner, deliveryLog: ViewDeps['deliveryLog']) => {
  const found: DeliveryRow[] = [];
  for await (const delivery of deliveryLog.deliveriesOfPartner(clientId, {})) {
    found.push({ ...delivery, partner: name });
    if (found.length === deliveriesShown) break;
  }
  return found;
};

const everything = {
  own: 'everything',
  elements: new Map(elementNames.map((name) => [name, 'everything'] as const)),
} as const;

const rowOf = (
  { transaction, version, updatedAtMs }: StoredTransaction,
  debounceRow: DebounceRow | undefined,
  partners: readonly DemoPartner[],
): TransactionRow => ({
  uuid: transaction.uuid,
  transaction: presentTransaction(transaction, everything, { showsPaymentTokens: false }),
  version,
  changedAtMs: updatedAtMs,
  partners: partners.filter(({ grants }) => covers(grants, transaction.ndMeta)).map(({ name }) => name),
  ...(debounceRow?.dueAtMs !== undefined && { dueAtMs: debounceRow.dueAtMs }),
  isBeingSent: debounceRow?.inflight !== undefined,
  pending: debounceRow?.dueAtMs === undefined ? [] : (debounceRow.changed ?? []),
});
