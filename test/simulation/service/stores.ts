import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  keyOfRow,
  type LogLine,
  type Pass,
  type Row,
  type RowKey,
  type SendingLine,
} from '../../../functions/shared/events/rows.ts';
import { shardOf } from '../../../functions/shared/events/table.ts';
import {
  createMemoryDebounceTable,
  type IsThrottled,
  type MemoryDebounceTable,
} from '../../support/memory/debounce-table.ts';
import {
  createMemoryPartners,
  createMemoryWebhookSwitch,
  directoryOver,
  endpointsOver,
} from '../../support/memory/partners.ts';
import { createMemoryRequests } from '../../support/memory/requests.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Call, Process } from '../kernel/process.ts';
import type { DueIndex } from './due-index.ts';
import { type History, recordCall } from './history.ts';

type CompletionMarkerKey = { kind: 'NOTIFY' | 'COMPLETED'; uuid: string };

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
  /** A page of a partner's rows or log. */
  pageRows?: number;
  isThrottled?: IsThrottled;
};

/** The production stand-ins of the stores, all over one virtual clock. */
export const createStores = ({
  kernel,
  history,
  index,
  onCommit,
  onStatus = () => {},
  duePage = Number.POSITIVE_INFINITY,
  pageRows = 4,
  isThrottled,
}: StoresDeps) => {
  const clock = () => new Date(history.epochMs + kernel.nowMs());
  const table = createMemoryDebounceTable(clock, isThrottled);
  let isStopped = false;
  let reconciledUntilMs: number | undefined;
  const requests = createMemoryRequests();
  const transactions = createMemoryTransactions(requests, table);
  const partners = createMemoryPartners();
  const endpoints = endpointsOver(partners);

  const ports: Ports = {
    transactions,
    partners: directoryOver(partners, createMemoryWebhookSwitch(), clock),
    table: {
      ...table,
      due: async (shard, nowMs, limit) =>
        index.due(shard, nowMs, Math.min(limit, Math.ceil((limit / 100) * duePage))),
      backlogOf: (clientId, page) =>
        table.backlogOf(clientId, { ...page, limit: Math.min(pageRows, page.limit) }),
      linesSince: (clientId, sinceMs, page) =>
        table.linesSince(clientId, sinceMs, { ...page, limit: Math.min(pageRows, page.limit) }),
    },
    stop: { isStopped: async () => isStopped },
    place: {
      read: async () => reconciledUntilMs,
      save: async (untilMs) => {
        reconciledUntilMs = untilMs;
      },
    },
    changes: transactions,
    requests,
    endpoints,
  };

  /** The index follows a row that was written or removed. */
  const follow = async (written: Row | Pass | CompletionMarkerKey) => {
    const key = written.kind === 'PASS' || !('revision' in written) ? written : keyOfRow(written);
    const [row] = (await table.read([key as RowKey])) as (Row | Pass)[];
    index.follow(key, shardOf(row ?? written), row?.dueAtMs);
  };

  const commit = (process: Process, before: StoredTransaction | undefined, after: StoredTransaction) => {
    history.commits.push({ atMs: kernel.nowMs(), by: process.name, ...(before && { before }), after });
    onCommit(before, after);
    return follow({ uuid: after.transaction.uuid, kind: 'COMPLETED' });
  };

  /** What follows a call in the same instant: the index, the stream, the history. */
  const onDone = (process: Process, call: Call, answer: unknown): unknown => {
    recordCall(history, kernel.nowMs(), { process, call, answer });
    const [first] = call.args;
    switch (`${call.port}.${call.method}`) {
      case 'table.recordChange':
        return follow({ uuid: (first as { uuid: string }).uuid, kind: 'NOTIFY' });
      case 'table.save':
      case 'table.remove':
      case 'table.pay':
        return follow(first as Row | Pass);
      case 'table.saveWithin':
        return Promise.all((call.args[1] as Row[]).map(follow));
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
    /** A pass as a part of another write. */
    leave: (pass: Pass) => {
      table.leave(pass);
      history.passesPut.push({ atMs: kernel.nowMs(), pass });
      return follow(pass);
    },
    isWithholding: (clientId: string) =>
      table.passes().some((pass) => pass.clientId === clientId && pass.does === 'withhold'),
    stop: (is: boolean) => {
      isStopped = is;
      history.stops.push({ atMs: kernel.nowMs(), isStopped: is });
    },
    /** What there is of some transactions. */
    everythingOf: async (uuids: readonly string[]): Promise<Everything> =>
      everythingOf(uuids, table, transactions),
  };
};

export type Everything = {
  transactions: StoredTransaction[];
  rows: Row[];
  lines: LogLine[];
  sendingLines: SendingLine[];
  passes: Pass[];
};

const everythingOf = async (
  uuids: readonly string[],
  table: MemoryDebounceTable,
  transactions: Pick<Ports['transactions'], 'byUuids'>,
) => ({
  transactions: [...(await transactions.byUuids(uuids)).values()],
  rows: uuids.flatMap(table.rowsOf),
  lines: structuredClone(table.lines),
  sendingLines: structuredClone(table.sendings),
  passes: table.passes(),
});
