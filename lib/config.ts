import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** The stages that there are. */
export const stageNames = ['local', 'staging', 'production'] as const;

/** The name of a stage. */
export type StageName = (typeof stageNames)[number];

/** Where callers reach the two APIs. Links, issuers and audiences are built from these (LINK-3). */
export type Addresses = { baseUrl: string; authUrl: string };

/** A custom domain for both APIs. Its certificate must exist in the stage's account and region, and cover both hosts. */
export type OwnDomain = {
  baseHost: string;
  authHost: string;
  certificateArn: string;
  /** Where both names are made; without it the two targets are outputs, for whoever keeps the names. */
  hostedZone?: { id: string; name: string };
};

/** The times of events, in seconds (interface 6.3). `lib/event-times.ts` checks how they relate. */
export type EventTimes = {
  /** How long a transaction rests before its changes are sent, and the least time between two events of it. */
  dormancySeconds: number;
  tickSeconds: number;
  /** So long after its last change an update is with the bus at the latest (interface 6.1). */
  promisedSeconds: number;
};

/** The tables that functions use, by the names that the code has for them. */
export type TableName = 'transactions' | 'listing' | 'partners' | 'debounce' | 'requests';

/** A table that was restored under a name of its own (docs/recovery.md). */
export type RestoredTable = {
  table: string;
  /** Of the Transactions table: a restored table gets a stream of its own. */
  streamArn?: string;
};

/** Who hears of a stage, and of what. */
export type WatchConfig = {
  /** Each confirms once, by a link that AWS sends. Production has at least one (`lib/production-needs.ts`). */
  emails: readonly string[];
  /** What the account may cost a month; the budget tells when it is passed, or will be. */
  monthlyUsd: number;
  /** AWS's own monitor of the account's costs: `aws ce get-anomaly-monitors`. A new account has none for a day. */
  anomalyMonitorArn?: string;
  /** A trail of the account or its organisation logs what changes something in this region; absent = the stage's own does. */
  accountHasTrail?: true;
};

/** The one place on GitHub from which a stage is deployed without a stored key (docs/pipeline.md). */
export type PipelineConfig = {
  /** `owner/name`, or `owner@12/name@34` with GitHub's ids, which no later owner of the name has. */
  repository: string;
  /** Whose reviewers approve; production needs one. */
  environment?: string;
  /** Instead of an environment. */
  branch?: string;
  /** Of the account's provider for GitHub's tokens, where it has one; else it is made. */
  providerArn?: string;
};

/** How many requests a minute the firewall lets one caller make (S-40). */
export type FirewallRates = {
  /** Requests of V1 that make a transaction, or may: a checkout needs one, or one for each page that it loads (S-79). */
  creationsPerAddress: number;
  /** A checkout needs some thirty; a shop's whole office may have one address. */
  v1PerAddress: number;
  /** A partner needs one token an hour for each of its programs. */
  tokensPerAddress: number;
  perAuthorization: number;
  /** All requests together, whatever they are. */
  perAddress: number;
};

/** Everything that differs between stages. */
export type StageConfig = {
  name: StageName;
  /** Twelve digits, of no other stage. A stage that keeps data is not deployed without it (`lib/stage-account.ts`). */
  account?: string;
  region: string;
  /** Only the local stage has them: something other than API Gateway answers there. */
  fixedAddresses?: Addresses;
  /** Production has one (`lib/production-needs.ts`): what partners hold must not hang on the id of an API. */
  ownDomain?: OwnDomain;
  logLevel: 'DEBUG' | 'INFO';
  logRetentionDays: RetentionDays;
  /** Tables, secrets and keys outlive their stack and refuse deletion (S-56). */
  keepsData: boolean;
  /** Used instead of the tables that the stack makes; absent = those (docs/recovery.md). */
  restoredTables?: Partial<Record<TableName, RestoredTable>>;
  /**
   * Keeps one caller from starving the other functions (S-42); absent = the account's pool. 100 of an account's concurrent
   * executions stay unreserved, and a new account has 10 in all.
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
  /** How many invocations of `publish-dormant` work off due shards at once while there is a backlog (`lib/flush-workers.ts`). */
  flushWorkers: number;
  /** Requests a second and the burst above it, for each method of each path, over all callers. */
  throttle: { rate: number; burst: number };
  /** What one partner may ask of V2 in a minute, with whatever tokens (S-40). */
  partnerRequestsPerMinute: number;
  /** Absent = no firewall: emulators have none, and it costs about 10 USD a month. */
  firewall?: FirewallRates;
  /** Who is told of alarms; absent = nobody watches, and what emulators do not know is left out. */
  watch?: WatchConfig;
  /** Absent = a person deploys. */
  pipeline?: PipelineConfig;
  /** `source` of every event (EV-8). */
  eventSource: string;
  eventTimes: EventTimes;
  /** An incomplete transaction that a session began and nobody changed for so many days is deleted, then erased (V1-8). */
  retention: { incompleteDays: number | 'never' };
  /**
   * Who may work as the operator, by ARNs; `*` may stand at the end of those of IAM Identity Center's roles. Absent = whoever the
   * account's own policies let assume the role, signed in with MFA.
   */
  operators?: readonly string[];
  /** Calls go over to a new version of a function little by little, and back when an alarm rings (D-11). */
  shiftsGradually?: true;
  /** All calls go over at once, whatever rings: a deployment's own choice, of no stage (D-12). */
  shiftsAtOnce?: true;
  /** Days between two rotations; absent = by the operator's command alone, so that tests and rehearsals know when. */
  keyRotation?: { signingKeysDays: number; pepperDays: number };
};

/** The one place that says it (interface 6.3): what is told of it elsewhere is computed from here. */
const dormancySeconds = 120;
const eventTimes: EventTimes = { dormancySeconds, tickSeconds: 10, promisedSeconds: dormancySeconds + 60 };

const local: StageConfig = {
  name: 'local',
  region: 'eu-west-2',
  // The embedded stage replaces this literal with its own address.
  fixedAddresses: { baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  logLevel: 'DEBUG',
  logRetentionDays: 7,
  keepsData: false,
  reservedConcurrency: {},
  // The engine and all functions share one machine, and Lambda takes no less.
  flushWorkers: 2,
  throttle: { rate: 500, burst: 1000 },
  // More than one machine answers: tests and demos ask as one partner.
  partnerRequestsPerMinute: 60_000,
  eventSource: 'svc.local.online-payments',
  eventTimes,
  // A step of the console's clock each: deleted after 31 days, erased after 62.
  retention: { incompleteDays: 30 },
};

const staging: StageConfig = {
  name: 'staging',
  region: 'eu-west-2',
  logLevel: 'DEBUG',
  logRetentionDays: 30,
  keepsData: true,
  reservedConcurrency: {},
  flushWorkers: 4,
  throttle: { rate: 100, burst: 200 },
  partnerRequestsPerMinute: 300,
  watch: { emails: [], monthlyUsd: 50 },
  eventSource: 'svc.staging.online-payments',
  eventTimes,
  retention: { incompleteDays: 400 },
};

const production: StageConfig = {
  name: 'production',
  region: 'eu-west-2',
  logLevel: 'INFO',
  logRetentionDays: 90,
  keepsData: true,
  // 408, so that the account's limit must be at least 508. Lists take from what nobody reserved.
  reservedConcurrency: {
    ...{ issueToken: 50, v1Transaction: 200, v2Write: 100, v2Partner: 20 },
    ...{ publishDormant: 13, captureChange: 20, serveDocs: 5 },
  },
  flushWorkers: 8,
  throttle: { rate: 1000, burst: 2000 },
  partnerRequestsPerMinute: 300,
  firewall: {
    ...{ creationsPerAddress: 60, v1PerAddress: 1_200, tokensPerAddress: 120 },
    ...{ perAuthorization: 6_000, perAddress: 12_000 },
  },
  watch: { emails: [], monthlyUsd: 300 },
  eventSource: 'svc.production.online-payments',
  eventTimes,
  retention: { incompleteDays: 400 },
  shiftsGradually: true,
  // Each pepper is hashed at every authentication until an operator removes it, so these come seldom.
  keyRotation: { signingKeysDays: 90, pepperDays: 365 },
};

const stages: Record<StageName, StageConfig> = { local, staging, production };

const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

/** The configuration of a stage; an unknown name is an error. */
export const configOf = (name: string): StageConfig => {
  if (isStageName(name)) return stages[name];
  throw new Error(`Unknown stage "${name}": choose one of ${stageNames.join(', ')}.`);
};

/** Lambda refuses a reservation that leaves an account fewer concurrent executions than these. */
const unreservedConcurrency = 100;

/** What the account's limit of concurrent executions must be at least; undefined where the stage reserves none. */
export const concurrencyNeeded = ({ reservedConcurrency }: StageConfig): number | undefined => {
  const reserved = Object.values(reservedConcurrency).reduce((sum, one) => sum + one, 0);
  return reserved === 0 ? undefined : reserved + unreservedConcurrency;
};

/** A fixed name, because the key's policy refers to the bus before it exists. Partners' rules begin with it as well. */
export const busNameOf = ({ name }: StageConfig): string => `transactions-${name}`;
