import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { createPepperReader } from '../../functions/shared/auth/peppers.ts';
import { settingsOf } from '../../functions/shared/domain/event/timing.ts';
import { eventStatements } from '../../functions/shared/events/passes.ts';
import { createDebounceTable, createSentLog } from '../../functions/shared/events/table.ts';
import { createEndpointRequests } from '../../functions/shared/outbound/endpoint-requests.ts';
import { type Clock, systemClock } from '../../functions/shared/runtime/clock.ts';
import { requestLimits } from '../../functions/shared/runtime/sdk/request-limits.ts';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import { createRingReader } from '../../functions/shared/store/keys/ring-reader.ts';
import { createRingStore } from '../../functions/shared/store/keys/ring-store.ts';
import { createUserKeyReader } from '../../functions/shared/store/keys/user-key.ts';
import { createAuditStore } from '../../functions/shared/store/partners/audit-log.ts';
import { createWebhookSwitch } from '../../functions/shared/store/partners/webhook-switch.ts';
import { createSecretsClient } from '../../functions/shared/store/secrets/client.ts';
import { createSecretReader, createSecretStore } from '../../functions/shared/store/secrets/secrets.ts';
import { createSessionEnds } from '../../functions/shared/store/sessions/session-record.ts';
import { getTransaction, getTransactions } from '../../functions/shared/store/transactions/get.ts';
import { createNumericIds } from '../../functions/shared/store/transactions/numeric-ids.ts';
import { configOf } from '../../lib/config.ts';
import { createAskCaller, localCaller } from './caller.ts';
import { createDeadLetterQueue } from './customers/dead-letters.ts';
import type { OperatorDeps } from './deps.ts';
import { isEmulated } from './emulator.ts';
import { createRotationRequest } from './keys/rotation-request.ts';
import { createServiceClock } from './service-clock.ts';
import type { StageResources } from './stage.ts';
import { createAuditRecords } from './store/audit-records.ts';
import { createAuditTrail } from './store/audit-trail.ts';
import { createConcurrency } from './store/concurrency.ts';
import { createListingAuditor } from './store/listing/audit.ts';
import { createPartnerStore } from './store/partners/store.ts';
import { createPersonalDataStore } from './store/personal-data/store.ts';
import { createRecoveryStore } from './store/recovery/store.ts';
import { createRevokedSessions } from './store/session-ends.ts';
import { createStorefrontStore } from './store/storefronts.ts';
import { createImportWriter } from './store/transactions/import-writer.ts';
import { createTransactionWalk } from './store/transactions/walk.ts';

/** Opens the stores of one stage. Only a local stage names endpoints, and it accepts any credentials. */
export const connect = (stage: StageResources, environment = process.env): OperatorDeps => {
  const { endpoints, place, tables, keySecrets } = stage;
  // The stage's region overrides that of the environment or a profile.
  const deployed = { ...(place && { region: place.region }) };
  const at = (endpoint: string | undefined) => (endpoint === undefined ? deployed : { ...local, endpoint });
  const isLocal = endpoints !== undefined;
  const emulated = isLocal || isEmulated(stage, environment);
  const documents = createDocumentClient(at(endpoints?.dynamodb));
  const clock = movedOn(createServiceClock(documents, systemClock), stage.clockAheadMs);
  const secrets = createSecretsClient(at(endpoints?.secretsmanager));
  const queues = new SQSClient({ ...requestLimits(), ...at(endpoints?.sqs) });
  const tableAccess = { documents, transactionsTable: tables.transactions, listingTable: tables.listing };
  const partnersAccess = { documents, partnersTable: tables.partners };
  const requestsAccess = { documents, requestsTable: tables.requests };
  const auditAccess = { ...partnersAccess, auditTable: tables.audit };
  const { leaseMs } = settingsOf(stage.dormancyMs);
  const debounceAccess = { documents, debounceTable: tables.debounce };
  return {
    partners: createPartnerStore(partnersAccess, (change) =>
      eventStatements(tables.debounce, change, { nowMs: clock().getTime(), leaseMs, newId: randomUUID }),
    ),
    webhookSwitch: createWebhookSwitch(partnersAccess),
    webhookSwitchOf: (partnersTable) => createWebhookSwitch({ documents, partnersTable }),
    storefronts: createStorefrontStore(partnersAccess),
    transactions: {
      byUuid: (uuid) => getTransaction(tableAccess, uuid),
      byUuids: (uuids) => getTransactions(tableAccess, uuids),
      ...createImportWriter(tableAccess),
      ...createTransactionWalk(tableAccess),
    },
    personalData: createPersonalDataStore({
      ...{ documents, transactionsTable: tables.transactions, requestsTable: tables.requests },
      ...{ auditTable: tables.audit, random: randomBytes },
    }),
    deadLetters: createDeadLetterQueue(queues, stage.deadLetterQueueArn),
    sessions: { ...createSessionEnds(requestsAccess), ...createRevokedSessions(requestsAccess) },
    ids: createNumericIds(tableAccess),
    listing: createListingAuditor(tableAccess),
    audit: createAuditStore(auditAccess),
    trail: createAuditTrail(auditAccess),
    auditRecords: createAuditRecords(auditAccess),
    recovery: createRecoveryStore({
      ...tableAccess,
      ...debounceAccess,
      ...auditAccess,
      requestsTable: tables.requests,
    }),
    debounce: createDebounceTable(debounceAccess),
    sentLog: createSentLog(debounceAccess),
    endpointRequests: createEndpointRequests({ client: queues, queueUrl: stage.endpointsQueueUrl }),
    // A stage in AWS may call public addresses only; a local stage or an emulator may also call this machine (S-47).
    endpointRules: { allowsLoopback: emulated },
    askCaller: isLocal
      ? localCaller
      : createAskCaller(new STSClient({ ...requestLimits(), ...deployed }), { isEmulated: emulated }),
    events: { stage: stage.name, dormancyMs: stage.dormancyMs },
    functions: stage.functions,
    concurrency: createConcurrency(new LambdaClient({ ...requestLimits(), ...deployed })),
    rings: createRingStore(partnersAccess),
    requestRotation: createRotationRequest(secrets, keySecrets),
    readPeppers: createPepperReader({
      readRing: createRingReader({ ...partnersAccess, clock }, 'pepper'),
      readSecret: createSecretReader(createSecretStore(secrets), keySecrets.pepper, clock),
      clock,
    }),
    readUserKey: createUserKeyReader(partnersAccess),
    now: clock,
    random: randomBytes,
    wait,
  };
};

/** The tables of a local stage tell the machine's time. Its stack file says how far its clock was moved on (RUN-12). */
const movedOn =
  (clock: Clock, byMs = 0): Clock =>
  () =>
    new Date(clock().getTime() + byMs);

const local = {
  region: configOf('local').region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

const wait = (ms: number) => setTimeout(ms);
