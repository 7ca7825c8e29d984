import type { VariableName } from '../../functions/shared/runtime/environment.ts';
import { configOf } from '../../lib/config.ts';
import { type TableId, tableIds } from '../../lib/tables.ts';

/**
 * What calls each function and what it is given, as data. `test/infrastructure/wiring.test.ts` compares it with the template
 * of every stage, property by property.
 */

const { region: ofLocal, ...config } = configOf('local');
export const region = ofLocal;
export const account = '000000000000';
export const busName = 'transactions-local';

/** The ARN of a resource of the embedded stage. */
export const arn = (service: string, name: string) => `arn:aws:${service}:${region}:${account}:${name}`;

type FunctionWiring = { timeoutSeconds: number; variables: readonly VariableName[] };

const ofPartners = ['BASE_URL', 'AUTH_URL', 'API_AUDIENCE', 'PARTNER_REQUESTS_PER_MINUTE'] as const;
const keys = ['ACCESS_KEYS_SECRET', 'SESSION_KEYS_SECRET', 'PEPPER_SECRET'] as const;

/** The variables that every function has, for its log and its metrics. */
export const reportVariables = {
  POWERTOOLS_LOG_LEVEL: config.logLevel,
  POWERTOOLS_METRICS_NAMESPACE: 'transactions-local',
};

/** The functions, with the other variables that the template gives to each. */
export const functions = {
  'issue-token': {
    timeoutSeconds: 15,
    variables: [
      ...(['AUTH_URL', 'API_AUDIENCE', 'PARTNERS_TABLE', 'REQUESTS_TABLE', 'AUDIT_TABLE'] as const),
      ...(['ACCESS_KEYS_SECRET', 'PEPPER_SECRET'] as const),
    ],
  },
  'v1-transaction': {
    timeoutSeconds: 15,
    variables: [
      ...(['BASE_URL', 'TRANSACTIONS_TABLE', 'LISTING_TABLE', 'REQUESTS_TABLE', 'PARTNERS_TABLE'] as const),
      'SESSION_KEYS_SECRET',
    ],
  },
  'v2-read': {
    timeoutSeconds: 15,
    variables: [...ofPartners, 'TRANSACTIONS_TABLE', 'LISTING_TABLE', 'PARTNERS_TABLE', 'REQUESTS_TABLE'],
  },
  'v2-write': {
    timeoutSeconds: 15,
    variables: [
      ...ofPartners,
      ...(['TRANSACTIONS_TABLE', 'LISTING_TABLE', 'REQUESTS_TABLE', 'PARTNERS_TABLE'] as const),
      ...(['DEBOUNCE_TABLE', 'PUBLISH_QUEUE'] as const),
    ],
  },
  'v2-partner': {
    timeoutSeconds: 15,
    variables: [
      ...ofPartners,
      ...(['TRANSACTIONS_TABLE', 'PARTNERS_TABLE', 'AUDIT_TABLE', 'REQUESTS_TABLE'] as const),
      ...(['DEBOUNCE_TABLE', 'ENDPOINT_QUEUE', 'PUBLISH_QUEUE', 'STAGE', 'LOOPBACK_ENDPOINTS'] as const),
    ],
  },
  'serve-docs': { timeoutSeconds: 15, variables: ['BASE_URL', 'AUTH_URL'] },
  'publish-dormant': {
    timeoutSeconds: 15,
    variables: [
      ...(['TICK_SECONDS', 'PUBLISH_QUEUE', 'SHARD_QUEUE', 'DORMANCY_SECONDS'] as const),
      ...(['TRANSACTIONS_TABLE', 'PARTNERS_TABLE', 'DEBOUNCE_TABLE'] as const),
      ...(['EVENT_BUS', 'EVENT_SOURCE', 'STAGE'] as const),
    ],
  },
  'capture-change': {
    timeoutSeconds: 15,
    variables: ['DORMANCY_SECONDS', 'DEBOUNCE_TABLE'],
  },
  'collect-dead-letters': {
    timeoutSeconds: 5,
    variables: ['DEBOUNCE_TABLE', 'ENDPOINT_QUEUE'],
  },
  'keep-endpoints': {
    timeoutSeconds: 120,
    variables: [
      ...(['STAGE', 'EVENT_SOURCE', 'EVENT_BUS', 'DELIVERY_ROLE', 'DEAD_LETTER_QUEUE'] as const),
      ...(['CONNECTION_KEY', 'ENDPOINT_QUEUE', 'ENDPOINT_EFFECT_SECONDS'] as const),
      ...(['LOOPBACK_ENDPOINTS', 'PROBE_FUNCTION', 'PARTNERS_TABLE', 'DEBOUNCE_TABLE'] as const),
    ],
  },
  'probe-endpoint': { timeoutSeconds: 18, variables: ['LOOPBACK_ENDPOINTS'] },
  reconcile: {
    timeoutSeconds: 300,
    variables: ['DORMANCY_SECONDS', 'TRANSACTIONS_TABLE', 'DEBOUNCE_TABLE', 'PARTNERS_TABLE'],
  },
  'rotate-keys': { timeoutSeconds: 15, variables: ['PARTNERS_TABLE', ...keys] },
  'sweep-expired': {
    timeoutSeconds: 300,
    variables: ['INCOMPLETE_DAYS', 'TRANSACTIONS_TABLE', 'LISTING_TABLE', 'DEBOUNCE_TABLE'],
  },
} satisfies Record<string, FunctionWiring>;

export type FunctionName = keyof typeof functions;
export const functionNames = Object.keys(functions) as FunctionName[];

/** A path of one of the two APIs. `{x}` is one segment, `{x+}` the rest. Without methods it takes all. */
export type Route = {
  api: 'tokens' | 'transactions';
  path: string;
  name: FunctionName;
  methods?: readonly string[];
};

const to = (api: Route['api'], name: FunctionName, paths: readonly string[]): Route[] =>
  paths.map((path) => ({ api, path, name }));

/** Links have no `/api` in their paths, so each of these routes exists with and without it (LINK-2). */
const both = (paths: readonly string[]) => paths.flatMap((path) => [`/api${path}`, path]);

export const routes: readonly Route[] = [
  ...to('tokens', 'issue-token', [
    ...['token', 'introspect', 'revoke', 'secret', 'jwks'].map((path) => `/oauth2/${path}`),
    '/.well-known/oauth-authorization-server',
  ]),
  ...to('transactions', 'issue-token', [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/v2',
  ]),
  ...to('transactions', 'v1-transaction', both(['/transaction', '/transaction/{uuid}', '/session'])),
  ...to('transactions', 'v2-read', both(['/v2/transaction', '/v2/transaction/{uuid}'])),
  ...both(['/v2/transaction/{uuid}']).map(
    (path): Route => ({ api: 'transactions', path, name: 'v2-write', methods: ['PATCH', 'PUT'] }),
  ),
  ...to('transactions', 'v2-write', both(['/v2/payment'])),
  ...to('transactions', 'v2-partner', [
    ...['/api/v2/partner', '/api/v2/event/replay'],
    ...both(['/v2/event', '/v2/webhook', '/v2/webhook/signature', '/v2/webhook/test']),
  ]),
  ...to('transactions', 'serve-docs', [
    ...['/openapi.json', '/docs', '/docs/{page+}', '/llms.txt', '/.well-known/api-catalog'],
  ]),
];

/** A queue; the name of a FIFO queue ends in `.fifo`. */
export type QueueWiring = {
  visibilitySeconds: number;
  retentionSeconds: number;
  /** The function that gets its messages, and how. */
  calls?: {
    name: FunctionName;
    batchSize: number;
    maximumConcurrency: number;
    reportsItemFailures: boolean;
  };
};

const fortnightSeconds = 14 * 86_400;

export const queues = {
  // Polls, completions and tests.
  publish: {
    visibilitySeconds: 22,
    retentionSeconds: 280,
    calls: { name: 'publish-dormant', batchSize: 10, maximumConcurrency: 4, reportsItemFailures: true },
  },
  // Workers, with the due shard as group.
  'shards.fifo': {
    visibilitySeconds: 15,
    retentionSeconds: 60,
    calls: {
      name: 'publish-dormant',
      batchSize: 1,
      maximumConcurrency: config.flushWorkers,
      reportsItemFailures: false,
    },
  },
  // Partners to look at, now or later.
  endpoints: {
    visibilitySeconds: 120,
    retentionSeconds: 3_600,
    calls: { name: 'keep-endpoints', batchSize: 1, maximumConcurrency: 5, reportsItemFailures: true },
  },
  // What the bus gave up, of all partners.
  'dead-letters': {
    visibilitySeconds: 30,
    retentionSeconds: fortnightSeconds,
    calls: { name: 'collect-dead-letters', batchSize: 10, maximumConcurrency: 2, reportsItemFailures: true },
  },
  // What the stream gave up.
  'given-up': { visibilitySeconds: 30, retentionSeconds: fortnightSeconds },
} satisfies Record<string, QueueWiring>;

export type QueueName = keyof typeof queues;

/** The stream of the Transactions table. What is given up goes to a queue. */
export const stream = {
  table: 'Transactions',
  name: 'capture-change',
  batchSize: 100,
  pattern: { eventName: ['INSERT', 'MODIFY'] },
  maximumRetryAttempts: 5,
  maximumRecordAgeSeconds: 6 * 3_600,
  onFailure: 'given-up',
} as const;

export type Schedule = { name: FunctionName; everySeconds: number; input: object };

export const schedules: readonly Schedule[] = [
  { name: 'publish-dormant', everySeconds: 60, input: { every: 'rate(1 minute)' } },
  { name: 'keep-endpoints', everySeconds: 600, input: { every: 'rate(10 minutes)' } },
  { name: 'sweep-expired', everySeconds: 3_600, input: { every: 'rate(1 hour)' } },
  { name: 'reconcile', everySeconds: 600, input: { lookBackMinutes: 30 } },
  { name: 'reconcile', everySeconds: 86_400, input: { isDaily: true } },
];

/** The secrets, each rotated by `rotate-keys`; the pepper gets its first value from Secrets Manager. */
export const secrets = { AccessKeys: {}, SessionKeys: {}, Pepper: { generatedLength: 64 } } as const;

export const secretArn = (id: keyof typeof secrets) => arn('secretsmanager', `secret:${id}`);

/** The most concurrent calls of a function: those of its queues and its stream, or two for callers over HTTP. */
export const concurrencyOf = (name: FunctionName): number => {
  const called = Object.values<QueueWiring>(queues).filter(({ calls }) => calls?.name === name);
  const bySources = called.reduce((sum, { calls }) => sum + (calls?.maximumConcurrency ?? 0), 0);
  return Math.max(bySources, stream.name === name ? 1 : 0) || 2;
};

/** What differs between embedded stages. */
export type Place = {
  baseUrl: string;
  /** The address of SQS, EventBridge, Secrets Manager and Lambda. */
  awsUrl: string;
  /** The names of the tables. */
  tableNames: Record<TableId, string>;
  dormancySeconds: number;
  tickSeconds: number;
};

export const queueUrl = (awsUrl: string, name: QueueName) => `${awsUrl}/${account}/${name}`;

/** The values of all variables; they agree between functions. */
export const variablesAt = (place: Place): Record<VariableName, string> => {
  const { baseUrl, awsUrl, tableNames, dormancySeconds, tickSeconds } = place;
  const tableVariables = Object.fromEntries(
    tableIds.map((id) => [`${id.toUpperCase()}_TABLE`, tableNames[id]]),
  ) as Record<`${Uppercase<TableId>}_TABLE`, string>;
  return {
    ...tableVariables,
    BASE_URL: baseUrl,
    AUTH_URL: baseUrl,
    API_AUDIENCE: `${baseUrl}/api/v2`,
    PARTNER_REQUESTS_PER_MINUTE: `${config.partnerRequestsPerMinute}`,
    INCOMPLETE_DAYS: `${config.retention.incompleteDays}`,
    ACCESS_KEYS_SECRET: secretArn('AccessKeys'),
    SESSION_KEYS_SECRET: secretArn('SessionKeys'),
    PEPPER_SECRET: secretArn('Pepper'),
    STAGE: 'local',
    EVENT_SOURCE: config.eventSource,
    EVENT_BUS: busName,
    DORMANCY_SECONDS: `${dormancySeconds}`,
    TICK_SECONDS: `${tickSeconds}`,
    PUBLISH_QUEUE: queueUrl(awsUrl, 'publish'),
    SHARD_QUEUE: queueUrl(awsUrl, 'shards.fifo'),
    ENDPOINT_QUEUE: queueUrl(awsUrl, 'endpoints'),
    DEAD_LETTER_QUEUE: arn('sqs', 'dead-letters'),
    DELIVERY_ROLE: arn('iam', 'role/delivery'),
    CONNECTION_KEY: arn('kms', 'key/data'),
    ENDPOINT_EFFECT_SECONDS: '0',
    LOOPBACK_ENDPOINTS: 'allowed',
    PROBE_FUNCTION: 'probe-endpoint',
  };
};
