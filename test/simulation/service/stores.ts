import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { DueRow, DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery, DeliveryKey } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import { isPendingDelivery } from '../../../functions/shared/domain/event/new-delivery.ts';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createMemoryDebounceRows, type MemoryDebounceRows } from '../../support/memory/debounce-rows.ts';
import { createMemoryDeliveryLog, type MemoryDeliveryLog } from '../../support/memory/delivery-log.ts';
import {
  createMemoryPartners,
  createMemoryWebhookSwitch,
  directoryOver,
  endpointsOver,
} from '../../support/memory/partners.ts';
import { oneByOne } from '../../support/memory/publishing.ts';
import { createMemoryRequests } from '../../support/memory/requests.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Call, Process } from '../kernel/process.ts';
import type { DueIndex } from './due-index.ts';
import { claimsMade, type History, recordCall } from './history.ts';

export type StoresDeps = {
  kernel: Kernel;
  history: History;
  index: DueIndex;
  /** A change that the table took, on its way into the stream. */
  onCommit: (before: StoredTransaction | undefined, after: StoredTransaction) => void;
  /** What `keep-endpoints` has recorded of a partner. */
  onStatus?: (clientId: string, status: EndpointStatus) => void;
  /** The due index answers with so few rows where a hundred are asked for. */
  duePage?: number;
};

/** The production stand-ins of the stores, all over one virtual clock. */
export const createStores = ({
  kernel,
  history,
  index,
  onCommit,
  onStatus = () => {},
  duePage = Number.POSITIVE_INFINITY,
}: StoresDeps) => {
  const clock = () => new Date(history.epochMs + kernel.nowMs());
  const deliveryLog = createMemoryDeliveryLog({ clock });
  let leave: MemoryDebounceRows['leave'] = () => {};
  const requests = createMemoryRequests();
  const transactions = createMemoryTransactions(requests, { leave: (marker) => leave(marker) });
  const debounceRows = createMemoryDebounceRows({ versionOf: transactions.versionOf, deliveryLog, clock });
  leave = debounceRows.leave;
  const partners = createMemoryPartners();
  const endpoints = endpointsOver(partners);

  const ports: Ports = {
    transactions: { ...transactions, ...oneByOne(transactions.byUuid) },
    partners: directoryOver(partners, createMemoryWebhookSwitch(), clock),
    debounceRows: {
      ...debounceRows,
      due: async (shard, nowMs, limit) =>
        index.due(shard, nowMs, Math.min(limit, Math.ceil((limit / 100) * duePage))),
    },
    deliveryLog,
    changes: transactions,
    requests,
    endpoints,
  };

  const leases = new Map<string, number>();
  const followDueRow = async ({ uuid, kind }: DueRowKey) => {
    const dueRow = await debounceRows.get({ uuid, kind });
    const dueAtMs = dueRow?.dueAtMs;
    index.follow({ uuid, kind }, dueAtMs);
    const leasedUntilMs = leases.get(`${uuid}/${kind}`) ?? 0;
    if (dueRow?.inflight && (dueAtMs === undefined || dueAtMs > leasedUntilMs))
      history.strayed.push({ atMs: kernel.nowMs(), key: { uuid, kind }, dueAtMs, leasedUntilMs });
  };
  const lease = ({ uuid, kind }: DueRowKey, untilMs: number, isTaken: boolean) => {
    if (isTaken) leases.set(`${uuid}/${kind}`, untilMs);
    return followDueRow({ uuid, kind });
  };
  const rowsSince = new Map<string, number>();
  const followDelivery = async ({ eventId, clientId }: DeliveryKey) => {
    const delivery = await deliveryLog.delivery({ eventId, clientId });
    const text = `${eventId}/${clientId}`;
    if (delivery && !isPendingDelivery(delivery) && !rowsSince.has(text)) rowsSince.set(text, kernel.nowMs());
    index.follow({ kind: 'DELIVERY', eventId, clientId }, delivery?.dueAtMs);
  };

  const commit = (process: Process, before: StoredTransaction | undefined, after: StoredTransaction) => {
    history.commits.push({ atMs: kernel.nowMs(), by: process.name, ...(before && { before }), after });
    onCommit(before, after);
    return followDueRow({ uuid: after.transaction.uuid, kind: 'COMPLETED' });
  };

  /** What follows a call in the same instant: the index, the stream, the history. */
  const onDone = (process: Process, call: Call, answer: unknown): unknown => {
    recordCall(history, kernel.nowMs(), { process, call, answer });
    const [first] = call.args;
    switch (`${call.port}.${call.method}`) {
      case 'debounceRows.recordChange':
        return followDueRow({ uuid: (first as DueRowKey).uuid, kind: 'NOTIFY' });
      case 'debounceRows.claim':
      case 'debounceRows.claimTogether':
        return Promise.all(
          claimsMade(call, answer).map(({ key, inflight }) => lease(key, inflight.leasedUntilMs, true)),
        );
      case 'debounceRows.renewLease':
        return lease(first as DueRowKey, (call.args[2] as { dueAtMs: number }).dueAtMs, answer !== undefined);
      case 'debounceRows.schedule':
      case 'debounceRows.unschedule':
      case 'debounceRows.passOver':
      case 'debounceRows.reschedule':
      case 'debounceRows.complete':
        return followDueRow(first as DueRowKey);
      case 'deliveryLog.move':
      case 'deliveryLog.refused':
      case 'deliveryLog.lease':
      case 'deliveryLog.reschedule':
        return followDelivery(first as DeliveryKey);
      case 'deliveryLog.addMissing':
        return Promise.all((first as { deliveries: DeliveryKey[] }).deliveries.map(followDelivery));
      case 'endpoints.write':
        return answer === true && onStatus(first as string, call.args[1] as EndpointStatus);
      case 'transactions.replace':
        return saved(process, first as StoredTransaction, answer);
      case 'transactions.create':
        return saved(process, undefined, answer);
      case 'transactions.createMany':
        return (answer as unknown[]).map((one) => saved(process, undefined, one));
      default:
        return undefined;
    }
  };

  const saved = (process: Process, before: StoredTransaction | undefined, answer: unknown) => {
    const outcome = answer as Outcome<StoredTransaction, string>;
    return outcome.ok ? commit(process, before, outcome.value) : undefined;
  };

  return {
    ports,
    onDone,
    partners,
    /** When a delivery got its row. */
    rowSinceMs: ({ eventId, clientId }: DeliveryKey) => rowsSince.get(`${eventId}/${clientId}`),
    /** One attempt of the bus at an endpoint, which the embedded stage's bus records in the delivery log. */
    recordAttempt: async (attempt: DeliveryKey & { isDelivered: boolean; note: string }) => {
      await deliveryLog.recordAttempt({ ...attempt, atMs: history.epochMs + kernel.nowMs() });
      await followDelivery(attempt);
    },
    /** What there is of some transactions. */
    everythingOf: async (uuids: readonly string[]): Promise<Everything> => {
      const found = await Promise.all(
        uuids.map((uuid) => everythingOf(uuid, { debounceRows, deliveryLog, transactions })),
      );
      return {
        transactions: found.flatMap((one) => one.stored ?? []),
        dueRows: found.flatMap((one) => one.dueRows),
        events: found.flatMap((one) => one.events),
        deliveries: found.flatMap((one) => one.deliveries),
      };
    },
  };
};

export type Stores = ReturnType<typeof createStores>;
export type DeliveryLogEntry = NonNullable<Awaited<ReturnType<Ports['deliveryLog']['event']>>>;
export type Everything = {
  transactions: StoredTransaction[];
  dueRows: DueRow[];
  events: DeliveryLogEntry[];
  deliveries: Delivery[];
};

const everythingOf = async (
  uuid: string,
  {
    debounceRows,
    deliveryLog,
    transactions,
  }: Pick<Ports, 'debounceRows' | 'transactions'> & { deliveryLog: MemoryDeliveryLog },
) => {
  const heads: TransactionEvent[] = [];
  for await (const event of deliveryLog.eventsOfTransaction(uuid)) heads.push(event);
  const events = await Promise.all(heads.map(({ eventId }) => deliveryLog.event(eventId)));
  const debounceRow = await debounceRows.get({ uuid, kind: 'NOTIFY' });
  const marker = await debounceRows.get({ uuid, kind: 'COMPLETED' });
  return {
    stored: await transactions.byUuid(uuid),
    dueRows: [debounceRow, marker].flatMap((one) => one ?? []),
    events: events.flatMap((one) => one ?? []),
    deliveries: deliveryLog.left(uuid),
  };
};
