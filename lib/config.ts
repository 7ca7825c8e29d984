import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const stageNames = ['local', 'staging', 'production'] as const;
export type StageName = (typeof stageNames)[number];

/** Where callers reach the two APIs; hrefs, issuers and audiences are built from these (LINK-3, TOK-1). */
export type Addresses = { baseUrl: string; authUrl: string };

/** A name of our own in front of both APIs. The certificate is issued in the stage's account and region beforehand. */
export type OwnDomain = { baseHost: string; authHost: string; certificateArn: string };

/** How partners are told (interface 6.3, events EV-1). In seconds; `lib/event-times.ts` says what they may be. */
export type EventTimes = {
  dormancySeconds: number;
  tickSeconds: number;
  /** A transaction that never rests is told of after so long all the same; absent = never. */
  maxHoldSeconds?: number;
};

/** Everything that differs between stages, and nothing else. */
export type StageConfig = {
  name: StageName;
  region: string;
  /** Known beforehand only where something other than API Gateway answers. */
  fixedAddresses?: Addresses;
  ownDomain?: OwnDomain;
  logLevel: 'DEBUG' | 'INFO';
  logRetention: RetentionDays;
  /** What holds data outlives its stack and refuses deletion (S-56). */
  keepsData: boolean;
  /** So that a flood of one caller cannot starve the other functions (S-42); undefined = the account's pool. */
  reservedConcurrency: {
    issueToken?: number;
    v1Transaction?: number;
    v2Write?: number;
    publishDormant?: number;
  };
  /** Requests a second, and the burst above it, of each API as a whole. */
  throttle: { rate: number; burst: number };
  /** `source` of every event (EV-8). */
  eventSource: string;
  eventTimes: EventTimes;
};

/** Two minutes of rest, looked for every ten seconds (interface 6.3, events 2). */
const eventTimes: EventTimes = { dormancySeconds: 120, tickSeconds: 10 };

const local: StageConfig = {
  name: 'local',
  region: 'eu-west-2',
  // The embedded stage puts its own port into this literal.
  fixedAddresses: { baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  logLevel: 'DEBUG',
  logRetention: RetentionDays.ONE_WEEK,
  keepsData: false,
  reservedConcurrency: {},
  throttle: { rate: 500, burst: 1000 },
  eventSource: 'svc.local.online-payments',
  eventTimes,
};

const staging: StageConfig = {
  name: 'staging',
  region: 'eu-west-2',
  logLevel: 'DEBUG',
  logRetention: RetentionDays.ONE_MONTH,
  keepsData: true,
  reservedConcurrency: { issueToken: 10, v1Transaction: 20, v2Write: 10, publishDormant: 5 },
  throttle: { rate: 100, burst: 200 },
  eventSource: 'svc.staging.online-payments',
  eventTimes,
};

const production: StageConfig = {
  name: 'production',
  region: 'eu-west-2',
  logLevel: 'INFO',
  logRetention: RetentionDays.THREE_MONTHS,
  keepsData: true,
  reservedConcurrency: { issueToken: 50, v1Transaction: 200, v2Write: 100, publishDormant: 10 },
  throttle: { rate: 1000, burst: 2000 },
  eventSource: 'svc.production.online-payments',
  eventTimes,
};

const stages: Record<StageName, StageConfig> = { local, staging, production };

const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

export const configOf = (name: string): StageConfig => {
  if (isStageName(name)) return stages[name];
  throw new Error(`Unknown stage "${name}": choose one of ${stageNames.join(', ')}.`);
};

export const removalPolicyOf = ({ keepsData }: StageConfig): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/** Fixed, because the key's policy names the bus before there is one; what is made for a partner begins with it, too. */
export const busNameOf = ({ name }: StageConfig): string => `transactions-${name}`;
