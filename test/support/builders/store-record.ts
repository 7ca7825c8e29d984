import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { DebounceRow } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type DebounceItem,
  deliveryOf,
  eventOf,
} from '../../../functions/shared/store/debounce/delivery-log-items.ts';
import { isDeliveryKey, isEventKey } from '../../../functions/shared/store/debounce/keys.ts';
import { fromItem } from '../../../functions/shared/store/transactions/item.ts';
import { clientOf, documentsOf } from '../engine/engine.ts';
import type { TestStage } from '../stage/stage.ts';

/** Everything that the stage's tables have about transactions and their events. */
export type StoreRecord = {
  transactions: StoredTransaction[];
  dueRows: (Pick<DebounceRow, 'dueAtMs' | 'inflight' | 'notifiedVersion'> & { uuid: string; kind: string })[];
  events: TransactionEvent[];
  deliveries: Delivery[];
};

export const readStore = async ({ stack }: TestStage): Promise<StoreRecord> => {
  const client = clientOf(stack.operator.endpoints.dynamodb);
  const { TRANSACTIONS_TABLE = '', DEBOUNCE_TABLE = '' } = stack.operator.variables;
  try {
    const documents = documentsOf(client);
    const transactions = (await scan(documents, TRANSACTIONS_TABLE)).map(fromItem);
    const rows = (await scan(documents, DEBOUNCE_TABLE)) as DebounceItem[];
    return {
      transactions,
      dueRows: rows.filter(({ pk }) => pk.startsWith('TX#')).map(dueRowOf),
      events: rows.filter(isEventKey).map(eventOf),
      deliveries: rows.filter(isDeliveryKey).map(deliveryOf),
    };
  } finally {
    client.destroy();
  }
};

const dueRowOf = ({ pk, sk, ...facts }: DebounceItem) =>
  ({ uuid: pk.slice('TX#'.length), kind: sk, ...facts }) as StoreRecord['dueRows'][number];

const scan = async (client: DynamoDBDocumentClient, TableName: string) => {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    items.push(...Items);
  return items;
};

/** What is still to come: transactions of which partners are still to be notified, and what has not ended. */
export const openIn = ({ transactions, dueRows, deliveries }: StoreRecord) => {
  const debounceRows = new Map(dueRows.filter(({ kind }) => kind === 'NOTIFY').map((one) => [one.uuid, one]));
  const isNotified = ({ transaction, version, notifyFromVersion }: StoredTransaction) =>
    (debounceRows.get(transaction.uuid)?.notifiedVersion ?? notifyFromVersion - 1) === version;
  return {
    pending: transactions.filter((one) => !isNotified(one)).map(({ transaction }) => transaction.uuid),
    scheduled: dueRows
      .filter(({ dueAtMs, inflight }) => dueAtMs !== undefined || inflight !== undefined)
      .map(({ uuid, kind }) => `the ${kind} of ${uuid}`),
    underWay: deliveries
      .filter(({ state }) => ['READY', 'HELD', 'ACCEPTED'].includes(state))
      .map(({ eventId, clientId }) => `${eventId} for ${clientId}`),
  };
};
