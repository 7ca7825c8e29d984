import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** All stages. */
export const stageNames = ['local', 'staging', 'production'] as const;

export type StageName = (typeof stageNames)[number];

/** The addresses of the two APIs. Links, issuers and audiences are built from them (LINK-2). */
export type Addresses = { baseUrl: string; authUrl: string };

/** A custom domain for both APIs. Its certificate is in the stage's account and region, and covers both hosts. */
export type OwnDomain = {
  baseHost: string;
  authHost: string;
  certificateArn: string;
  /** The zone in which both names are made. Without it, the stack's outputs name the two targets. */
  hostedZone?: { id: string; name: string };
};

/** The times of events, in seconds (interface 6.3). `lib/event-times.ts` checks their relations. */
export type EventTimes = {
  /** Dormancy, and the least time between two events of a transaction. */
  dormancySeconds: number;
  tickSeconds: number;
  /** The longest time from a transaction's last change until the bus has the event (interface 6.1). */
  promisedSeconds: number;
};

/** The tables that functions use. */
export type TableName = 'transactions' | 'listing' | 'partners' | 'debounce' | 'requests';

/** A table restored under a new name (docs/recovery.md). */
export type RestoredTable = {
  table: string;
  /** For the Transactions table, whose restored one has a new stream. */
  streamArn?: string;
};

/** Where a daily copy of all tables goes (docs/recovery.md). */
export type CopyConfig = {
  /** A vault of AWS Backup in another region or account, whose policy admits copies of this account. */
  vaultArn: string;
  keptDays: number;
};

/** Who is notified of alarms and costs. */
export type WatchConfig = {
  /** Each confirms two links that AWS sends, one for each topic. Production needs at least one (`lib/production-needs.ts`). */
  emails: readonly string[];
  /** A secret whose value is the https address of a pager, which holds the pager's key. Only urgent alarms go there (S-70). */
  pagerSecretArn?: string;
  /** The monthly budget of the account. */
  monthlyUsd: number;
  /**
   * Write units of Transactions and Requests in a minute above which an alarm fires (S-86). 100,000 cost 4.45 USD an hour.
   * The busiest minute of 1 M transactions a month has some 30,000 in all tables.
   */
  writeUnitsPerMinute: number;
  /** AWS's monitor of the account's costs: `aws ce get-anomaly-monitors`. A new account gets one after a day. */
  anomalyMonitorArn?: string;
  /** Set where a trail of the account or its organisation logs changes in this region; absent = the stage makes a trail. */
  accountHasTrail?: true;
};

/** The one place on GitHub from which a stage is deployed without a stored key (docs/pipeline.md). */
export type PipelineConfig = {
  /** `owner/name`, or `owner@12/name@34` with GitHub's ids, which a later owner of the name does not have. */
  repository: string;
  /** The GitHub environment whose reviewers approve; production needs one. */
  environment?: string;
  /** The only branch that deploys, instead of an environment. */
  branch?: string;
  /** The account's identity provider for GitHub's tokens; absent = the stack makes one. */
  providerArn?: string;
};

/** The firewall's limits, in requests a minute for one caller (S-40). */
export type FirewallRates = {
  /** V1 requests that may create a transaction: a checkout makes one, or one for each page that it loads (S-79). */
  creationsPerAddress: number;
  /** V1 requests that write, creations among them, or that have a filter: a checkout makes some ten (S-86). */
  v1WritesPerAddress: number;
  /** A checkout makes some thirty, and a shop's whole office may share one address. */
  v1PerAddress: number;
  /** Each program of a partner needs one token an hour. */
  tokensPerAddress: number;
  perAuthorization: number;
  /** All requests of an address together. */
  perAddress: number;
};

/** Everything that differs between stages. */
export type StageConfig = {
  name: StageName;
  /** Twelve digits, unique to the stage. A stage that keeps data is not deployed without it (`lib/stage-account.ts`). */
  account?: string;
  region: string;
  /** Only for the local stage, which has no API Gateway. */
  fixedAddresses?: Addresses;
  /** Production needs one (`lib/production-needs.ts`): partners' addresses must not depend on the id of an API. */
  ownDomain?: OwnDomain;
  /** The team that answers for the stage; a tag of every resource. */
  owner: string;
  logLevel: 'DEBUG' | 'INFO';
  logRetentionDays: RetentionDays;
  /** Tables, secrets and keys outlive their stack and refuse deletion (S-56). */
  keepsData: boolean;
  /** Tables that functions use instead of those that the stack makes (docs/recovery.md). */
  restoredTables?: Partial<Record<TableName, RestoredTable>>;
  /**
   * Keeps one function from starving the others (S-42); absent = the account's pool. AWS keeps 100 concurrent executions of
   * an account unreserved, and a new account has 10 in all.
   */
  reservedConcurrency: {
    issueToken?: number;
    v1Transaction?: number;
    v2Write?: number;
    v2Partner?: number;
    publishDormant?: number;
    captureChange?: number;
    serveDocs?: number;
  };
  /** Concurrent invocations of `publish-dormant` that work off due shards of a backlog (`lib/flush-workers.ts`). */
  flushWorkers: number;
  /** Requests a second and the burst above that, for each method of each path, over all callers. */
  throttle: { rate: number; burst: number };
  /** A partner's V2 requests a minute, over all its tokens (S-40). */
  partnerRequestsPerMinute: number;
  /** Absent = no firewall: emulators have none, and it costs about 11 USD a month. */
  firewall?: FirewallRates;
  /** Absent = no notifications, and no resources that emulators do not know. */
  watch?: WatchConfig;
  /** Absent = the data is in this region alone. */
  copies?: CopyConfig;
  /** Absent = a person deploys. */
  pipeline?: PipelineConfig;
  /** `source` of every event (EV-8). */
  eventSource: string;
  eventTimes: EventTimes;
  /** Days without a change after which a session's incomplete transaction is deleted, and erased later (V1-8). */
  retention: { incompleteDays: number | 'never' };
  /**
   * ARNs of those who may assume the operator's role; ARNs of IAM Identity Center's roles may end with `*`. Absent = anybody whom
   * the account's policies let assume the role, with MFA.
   */
  operators?: readonly string[];
  /** Shifts calls to a new version of a function gradually, and back when an alarm fires (D-11). */
  shiftsGradually?: true;
  /** Shifts all calls at once in spite of ringing alarms. Only a deployment sets it, with `-c shift=at-once` (D-12). */
  shiftsAtOnce?: true;
  /** Days between two rotations; absent = only by the operator's command, so that tests and rehearsals control them. */
  keyRotation?: { signingKeysDays: number; pepperDays: number };
};

/** The only place that states dormancy (interface 6.3); texts elsewhere are computed from it. */
const dormancySeconds = 120;
const eventTimes: EventTimes = { dormancySeconds, tickSeconds: 10, promisedSeconds: dormancySeconds + 60 };

const owner = 'transactions';

const local: StageConfig = {
  name: 'local',
  region: 'eu-west-2',
  // The embedded stage replaces this literal with its own address.
  fixedAddresses: { baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  owner,
  logLevel: 'DEBUG',
  logRetentionDays: 7,
  keepsData: false,
  reservedConcurrency: {},
  // The engine and all functions share one machine; a queue's maximum concurrency is at least 2.
  flushWorkers: 2,
  throttle: { rate: 500, burst: 1000 },
  // More than one machine can answer, since tests and demos use one partner.
  partnerRequestsPerMinute: 60_000,
  eventSource: 'svc.local.online-payments',
  eventTimes,
  // Two steps of the embedded stage's clock: it deletes after 31 days and erases after 62.
  retention: { incompleteDays: 30 },
};

const staging: StageConfig = {
  name: 'staging',
  region: 'eu-west-2',
  owner,
  logLevel: 'DEBUG',
  logRetentionDays: 30,
  keepsData: true,
  reservedConcurrency: {},
  flushWorkers: 4,
  throttle: { rate: 100, burst: 200 },
  partnerRequestsPerMinute: 300,
  watch: { emails: [], monthlyUsd: 50, writeUnitsPerMinute: 100_000 },
  eventSource: 'svc.staging.online-payments',
  eventTimes,
  retention: { incompleteDays: 400 },
};

const production: StageConfig = {
  name: 'production',
  region: 'eu-west-2',
  owner,
  logLevel: 'INFO',
  logRetentionDays: 90,
  keepsData: true,
  // 408 in all, so the account's limit must be at least 508. Lists use the unreserved part.
  reservedConcurrency: {
    ...{ issueToken: 50, v1Transaction: 200, v2Write: 100, v2Partner: 20 },
    ...{ publishDormant: 13, captureChange: 20, serveDocs: 5 },
  },
  flushWorkers: 8,
  throttle: { rate: 1000, burst: 2000 },
  partnerRequestsPerMinute: 300,
  firewall: {
    ...{ creationsPerAddress: 60, v1WritesPerAddress: 300, v1PerAddress: 1_200, tokensPerAddress: 120 },
    ...{ perAuthorization: 6_000, perAddress: 12_000 },
  },
  watch: { emails: [], monthlyUsd: 300, writeUnitsPerMinute: 100_000 },
  eventSource: 'svc.production.online-payments',
  eventTimes,
  retention: { incompleteDays: 400 },
  shiftsGradually: true,
  // Rare for peppers: every authentication hashes with each pepper until an operator removes it.
  keyRotation: { signingKeysDays: 90, pepperDays: 365 },
};

const stages: Record<StageName, StageConfig> = { local, staging, production };

const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

/** The configuration of a stage. Throws for an unknown name. */
export const configOf = (name: string): StageConfig => {
  if (isStageName(name)) return stages[name];
  throw new Error(`Unknown stage "${name}": choose one of ${stageNames.join(', ')}.`);
};

/** Lambda refuses a reservation that leaves an account fewer unreserved concurrent executions. */
const unreservedConcurrency = 100;

/** The account's least limit of concurrent executions; undefined where the stage reserves none. */
export const concurrencyNeeded = ({ reservedConcurrency }: StageConfig): number | undefined => {
  const reserved = Object.values(reservedConcurrency).reduce((sum, executions) => sum + executions, 0);
  return reserved === 0 ? undefined : reserved + unreservedConcurrency;
};

/** A fixed name, because the key's policy names the bus before it exists. Names of partners' rules begin with it. */
export const busNameOf = ({ name }: StageConfig): string => `transactions-${name}`;
