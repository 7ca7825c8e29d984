import type { RandomBytes } from '../auth/random-text.ts';
import type { EndpointRules } from '../outbound/endpoint-policy.ts';
import type { EndpointProbe } from '../outbound/endpoint-probe.ts';
import type { PartnerEndpoints } from '../outbound/partner-endpoint.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { EstateStore } from '../store/estate-store.ts';
import type { LedgerStore } from '../store/ledger-store.ts';
import type { ListingAuditor } from '../store/listing-audit.ts';
import type { NoticeStore } from '../store/notice-store.ts';
import type { NumericIds } from '../store/numeric-ids.ts';
import type { PartnerStore } from '../store/partner-store.ts';
import type { TransactionReader } from '../store/transaction-reader.ts';
import type { TransactionWalk } from '../store/transaction-walk.ts';
import type { TransactionWriter } from '../store/transaction-writer.ts';

/** What the operator's commands work with: the stores of one stage. */
export type OperatorDeps = {
  partners: PartnerStore;
  estate: EstateStore;
  transactions: Pick<TransactionReader, 'byUuid'> & TransactionWriter & TransactionWalk;
  ids: NumericIds;
  listing: ListingAuditor;
  audit: AuditStore;
  notices: Pick<NoticeStore, 'get'>;
  ledger: LedgerStore;
  endpoints: PartnerEndpoints;
  probe: EndpointProbe;
  endpointRules: EndpointRules;
  /** How long a new rule or target of the bus may take to count: until then what it should get is dropped. */
  endpointEffectMs: number;
  events: { stage: string; dormancyMs: number };
  /** Read only by the commands that make a client secret. */
  pepper: () => Promise<string>;
  now: Clock;
  wait: (ms: number) => Promise<void>;
  random: RandomBytes;
};
