import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { settingsOf } from '../shared/domain/event/timing.ts';
import { createEventBridgeClient, createEventBus } from '../shared/outbound/event-bus-client.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { runtimeRegion, type VariableName } from '../shared/runtime/environment.ts';
import type { Log } from '../shared/runtime/logger.ts';
import { createDebounceRowStore } from '../shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../shared/store/debounce/delivery-log.ts';
import { createPartnerDirectory } from '../shared/store/partners/directory.ts';
import { getTransaction, getTransactions } from '../shared/store/transactions/get.ts';

/** Environment variables that publishing needs. */
export const publishingVariables = [
  'TRANSACTIONS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'EVENT_BUS',
  'EVENT_SOURCE',
  'STAGE',
  'DORMANCY_SECONDS',
] as const satisfies readonly VariableName[];
export type PublishVariables = Record<(typeof publishingVariables)[number], string>;

/** Dependencies of publishing in the deployed function. */
export const openPublishing = (
  documents: DynamoDBDocumentClient,
  environment: PublishVariables,
  log: Log,
): PublishDeps => {
  const { EVENT_BUS, EVENT_SOURCE: source, STAGE: stage } = environment;
  const debounceTable = environment.DEBOUNCE_TABLE;
  const transactionsTable = environment.TRANSACTIONS_TABLE;
  const transactionsAccess = { documents, transactionsTable };
  return {
    transactions: {
      byUuid: (uuid) => getTransaction(transactionsAccess, uuid),
      byUuids: (uuids) => getTransactions(transactionsAccess, uuids),
    },
    partners: createPartnerDirectory({ documents, partnersTable: environment.PARTNERS_TABLE, clock }),
    debounceRows: createDebounceRowStore({ documents, debounceTable, transactionsTable, clock }),
    deliveryLog: createDeliveryLogStore({ documents, debounceTable, clock }),
    bus: createEventBus(createEventBridgeClient(), { busName: EVENT_BUS, source, stage, log }),
    clock,
    log,
    settings: settingsOf(Number(environment.DORMANCY_SECONDS) * 1000),
    stage,
    origin: { source, region: runtimeRegion() },
  };
};
