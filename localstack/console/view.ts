import type { DebounceRow } from '../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../functions/shared/domain/event/delivery.ts';
import { covers } from '../../functions/shared/domain/ownership/grant.ts';
import {
  isJsonObject,
  type StoredTransaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { DebounceRowStore } from '../../functions/shared/store/debounce/debounce-row-store.ts';
import type { DeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log-store.ts';
import type { DemoPartner } from '../stack-file.ts';
import type { Condition } from '../webhook-receiver/condition.ts';

/** Everything that the page shows of the stage at one moment; values of customers are text, and shown as such. */
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
  vehicle: string;
  customer: string;
  mobile: string;
  isComplete: boolean;
  isDeleted: boolean;
  version: number;
  changedAtMs: number;
  /** The demo partners that may read it. */
  partners: string[];
  /** When it is looked at for partners to be notified; absent while there is nothing to send. */
  dueAtMs?: number;
  isBeingSent: boolean;
  pending: string[];
};

export type DeliveryRow = Pick<
  Delivery,
  'eventId' | 'type' | 'uuid' | 'from' | 'to' | 'state' | 'claimedAtMs' | 'timeline'
> & { partner: string; reason?: string };

export type ViewDeps = {
  now: Clock;
  aheadMs: () => number;
  dormancyMs: number;
  partners: readonly DemoPartner[];
  conditionOf: (partner: string) => Condition;
  /** Which transactions are shown, the last changed first. */
  shown: () => readonly string[];
  transactions: (uuids: readonly string[]) => Promise<Map<string, StoredTransaction>>;
  debounceRows: Pick<DebounceRowStore, 'getMany'>;
  deliveryLog: Pick<DeliveryLogStore, 'deliveriesOfPartner'>;
};

const deliveriesShown = 20;

/** Reads the view from the stores of the stage: what it shows is what is there, whoever wrote it. */
export const createViewReader = (deps: ViewDeps) => async (): Promise<View> => {
  const uuids = deps.shown();
  const [transactions, debounceRows, deliveries] = await Promise.all([
    deps.transactions(uuids),
    deps.debounceRows.getMany(uuids),
    newestDeliveries(deps),
  ]);
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

const newestDeliveries = async ({ partners, deliveryLog }: ViewDeps): Promise<DeliveryRow[]> => {
  const rows = await Promise.all(
    partners.map(async ({ name, clientId }) => {
      const found: DeliveryRow[] = [];
      for await (const delivery of deliveryLog.deliveriesOfPartner(clientId, {})) {
        found.push(shownDelivery(delivery, name));
        if (found.length === deliveriesShown) break;
      }
      return found;
    }),
  );
  return rows
    .flat()
    .toSorted((one, other) => other.claimedAtMs - one.claimedAtMs)
    .slice(0, deliveriesShown);
};

const shownDelivery = (delivery: Delivery, partner: string): DeliveryRow => {
  const { eventId, type, uuid, from, to, state, reason, claimedAtMs, timeline } = delivery;
  return { partner, eventId, type, uuid, from, to, state, claimedAtMs, timeline, ...(reason && { reason }) };
};

const rowOf = (
  { transaction, version, updatedAtMs }: StoredTransaction,
  debounceRow: DebounceRow | undefined,
  partners: readonly DemoPartner[],
): TransactionRow => ({
  uuid: transaction.uuid,
  vehicle: textOf(transaction.vehicle, ['make', 'model']),
  customer: textOf(transaction.customer, ['firstName', 'lastName']),
  mobile: textOf(transaction.customer, ['mobile']),
  isComplete: transaction.status === 1,
  isDeleted: transaction.isDeleted === 1,
  version,
  changedAtMs: updatedAtMs,
  partners: partners.filter(({ grants }) => covers(grants, transaction.ndMeta)).map(({ name }) => name),
  ...(debounceRow?.dueAtMs !== undefined && { dueAtMs: debounceRow.dueAtMs }),
  isBeingSent: debounceRow?.inflight !== undefined,
  pending: debounceRow?.dueAtMs === undefined ? [] : (debounceRow.changed ?? []),
});

const textOf = (element: unknown, names: readonly string[]): string =>
  isJsonObject(element as never)
    ? names.flatMap((name) => (element as Record<string, unknown>)[name] ?? []).join(' ')
    : '';
