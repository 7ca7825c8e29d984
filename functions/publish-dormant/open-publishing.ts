import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { settingsOf } from '../shared/domain/event/timing.ts';
import type { SendDeps } from '../shared/events/send.ts';
import { createDebounceTable } from '../shared/events/table.ts';
import { createEventBridgeClient, createEventBus } from '../shared/outbound/event-bus-client.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { runtimeRegion, type VariableName } from '../shared/runtime/environment.ts';
import type { Log } from '../shared/runtime/logger.ts';
import { createPartnerDirectory } from '../shared/store/partners/directory.ts';
import { createWebhookSwitch } from '../shared/store/partners/webhook-switch.ts';
import { getTransactions } from '../shared/store/transactions/get.ts';

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
): SendDeps => {
  const { EVENT_BUS, EVENT_SOURCE: source, STAGE: stage } = environment;
  const debounceTable = environment.DEBOUNCE_TABLE;
  const transactionsTable = environment.TRANSACTIONS_TABLE;
  const transactionsAccess = { documents, transactionsTable };
  return {
    transactions: {
      byUuids: (uuids) => getTransactions(transactionsAccess, uuids),
    },
    partners: createPartnerDirectory({ documents, partnersTable: environment.PARTNERS_TABLE, clock }),
    table: createDebounceTable({ documents, debounceTable }),
    bus: createEventBus(createEventBridgeClient(), { busName: EVENT_BUS, source, stage, log }),
    isStopped: async () =>
      (await createWebhookSwitch({ documents, partnersTable: environment.PARTNERS_TABLE }).read()) !==
      undefined,
    newId: () => randomBytes(6).toString('hex'),
    pause,
    clock,
    log,
    settings: settingsOf(Number(environment.DORMANCY_SECONDS) * 1000),
    stage,
    origin: { source, region: runtimeRegion() },
  };
};
