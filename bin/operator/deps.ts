import type { ReadPeppers } from '../../functions/shared/auth/peppers.ts';
import type { DebounceTable, SentLog } from '../../functions/shared/events/table.ts';
import type { EndpointRules } from '../../functions/shared/outbound/endpoint/url-policy.ts';
import type { EndpointRequests } from '../../functions/shared/outbound/endpoint-requests.ts';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { RandomBytes } from '../../functions/shared/runtime/random-text.ts';
import type { RingStore } from '../../functions/shared/store/keys/ring-store.ts';
import type { ReadUserKey } from '../../functions/shared/store/keys/user-key.ts';
import type { AuditStore } from '../../functions/shared/store/partners/audit-log.ts';
import type { WebhookSwitch } from '../../functions/shared/store/partners/webhook-switch.ts';
import type { SessionEnds } from '../../functions/shared/store/sessions/session-record.ts';
import type { NumericIds } from '../../functions/shared/store/transactions/numeric-ids.ts';
import type { TransactionReader } from '../../functions/shared/store/transactions/reader.ts';
import type { AskCaller } from './caller.ts';
import type { DeadLetterQueue } from './customers/dead-letters.ts';
import type { RequestRotation } from './keys/rotation-request.ts';
import type { AuditRecords } from './store/audit-records.ts';
import type { AuditTrail } from './store/audit-trail.ts';
import type { Concurrency, StageFunction } from './store/concurrency.ts';
import type { ListingAuditor } from './store/listing/audit.ts';
import type { PartnerStore } from './store/partners/partner-store.ts';
import type { PersonalDataStore } from './store/personal-data/personal-data-store.ts';
import type { RecoveryStore } from './store/recovery/recovery-store.ts';
import type { RevokedSessions } from './store/session-ends.ts';
import type { StorefrontStore } from './store/storefronts.ts';
import type { ImportWriter } from './store/transactions/import-writer.ts';
import type { TransactionWalk } from './store/transactions/walk.ts';

/** The stores and services of one stage that the operator's commands use. */
export type OperatorDeps = {
  /** Asks who owns the credentials that these stores use. */
  askCaller: AskCaller;
  partners: PartnerStore;
  storefronts: StorefrontStore;
  transactions: Pick<TransactionReader, 'byUuid' | 'byUuids'> & ImportWriter & TransactionWalk;
  personalData: PersonalDataStore;
  deadLetters: DeadLetterQueue;
  sessions: RevokedSessions & Pick<SessionEnds, 'endOf'>;
  ids: NumericIds;
  listing: ListingAuditor;
  audit: AuditStore;
  trail: AuditTrail;
  auditRecords: AuditRecords;
  recovery: RecoveryStore;
  debounce: DebounceTable;
  sentLog: SentLog;
  webhookSwitch: WebhookSwitch;
  /** The switch in a restored Partners table that the stage does not use yet. */
  webhookSwitchOf: (partnersTable: string) => WebhookSwitch;
  /** Wakes `keep-endpoints`, which makes the bus match the partners' records. */
  endpointRequests: EndpointRequests;
  endpointRules: EndpointRules;
  events: { stage: string; dormancyMs: number };
  /** The functions of a deployed stage; none of a local one. */
  functions: readonly StageFunction[];
  concurrency: Concurrency;
  rings: RingStore;
  requestRotation: RequestRotation;
  /** Only the commands that make a client secret read peppers. */
  readPeppers: ReadPeppers;
  /** The key by which issuer and subject name a user's session (V1-10). It opens no session. */
  readUserKey: ReadUserKey;
  now: Clock;
  wait: (ms: number) => Promise<void>;
  random: RandomBytes;
};
