import type { ImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import type { DebounceTable, ReconciledPlace } from '../../../functions/shared/events/table.ts';
import type { PartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import type { EndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';
import type { RequestStore } from '../../../functions/shared/store/requests/request-store.ts';
import type { ChangeIndex } from '../../../functions/shared/store/transactions/changed-index.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import type { Process, Processes } from './process.ts';

/** The ports of the production functions, as one process holds them. */
export type Ports = {
  transactions: Pick<TransactionReader, 'byUuid' | 'byUuids'> & ImportWriter;
  partners: PartnerDirectory;
  table: DebounceTable;
  /** The switch of all webhooks. */
  stop: { isStopped: () => Promise<boolean> };
  /** How far the daily run of `reconcile` has come. */
  place: ReconciledPlace;
  changes: ChangeIndex;
  requests: RequestStore;
  endpoints: EndpointStore;
};

type Method = (...args: unknown[]) => unknown;

/** Every call of every port is a step of the process: it takes time, and anything may happen to it. */
export const portsOf =
  (ports: Ports, processes: Processes) =>
  (process: Process): Ports => {
    const through = <Port extends object>(name: string, port: Port): Port =>
      new Proxy(port, {
        get: (target, method) => {
          const perform = (target as { [method: string]: Method })[String(method)];
          if (typeof perform !== 'function') return perform;
          return (...args: unknown[]) => {
            const call = { port: name, method: String(method), args };
            const isListing = perform.constructor.name === 'AsyncGeneratorFunction';
            return isListing
              ? inOneStep(() => processes.step(process, call, () => collected(perform(...args))))
              : processes.step(process, call, async () => perform(...args));
          };
        },
      });
    return Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [name, through(name, port)]),
    ) as Ports;
  };

const collected = async (listing: unknown): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const one of listing as AsyncIterable<unknown>) all.push(one);
  return all;
};

/** A listing as of one instant. */
async function* inOneStep(ask: () => Promise<unknown[]>) {
  yield* await ask();
}
