import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { readFunctions, type StageFunction } from './store/concurrency.ts';
import { UserError } from './user-error.ts';

/** The resources of one stage. Without endpoints the SDK's own settings apply (credentials, AWS_ENDPOINT_URL). */
export type StageResources = {
  endpoints?: { dynamodb: string; secretsmanager: string; sqs: string };
  /** Region and account of a deployed stage, and its outputs file. */
  place?: { region: string; account: string; outputs: string };
  name: string;
  tables: Record<'transactions' | 'listing' | 'partners' | 'debounce' | 'requests' | 'audit', string>;
  /** The id of the secret of each kind of key. */
  keySecrets: { access: string; session: string; pepper: string };
  deadLetterQueueArn: string;
  /** The queue that wakes `keep-endpoints`. */
  endpointsQueueUrl: string;
  dormancyMs: number;
  /** The functions of a deployed stage; none of a local one. */
  functions: StageFunction[];
  /** How far a local stage's clock was moved on by hand. */
  clockAheadMs?: number;
};

export type StageChoice = { outputs?: string; stack?: string };

/** Finds the stage to work on: the local one, or a deployed one by its outputs file (RUN-4). */
export const readStage = ({ outputs, stack }: StageChoice, defaultStack: string): StageResources =>
  outputs === undefined ? localStage(stack ?? defaultStack) : deployedStage(outputs);

const stageVariables = z.object({
  STAGE: z.string(),
  TRANSACTIONS_TABLE: z.string(),
  LISTING_TABLE: z.string(),
  PARTNERS_TABLE: z.string(),
  DEBOUNCE_TABLE: z.string(),
  REQUESTS_TABLE: z.string(),
  AUDIT_TABLE: z.string(),
  ACCESS_KEYS_SECRET: z.string(),
  SESSION_KEYS_SECRET: z.string(),
  PEPPER_SECRET: z.string(),
  DEAD_LETTER_QUEUE_ARN: z.string(),
  ENDPOINTS_QUEUE_URL: z.string(),
  /** Dormancy (interface 6.3), which a local stage may shorten. Required, since "explain" says when an event leaves. */
  DORMANCY_SECONDS: z.coerce.number().positive(),
  FUNCTIONS: z.string().optional(),
});

const deployedVariables = stageVariables.required({ FUNCTIONS: true });

const stackFile = z.object({
  clock: z.object({ aheadMs: z.int().nonnegative() }).optional(),
  operator: z.object({
    endpoints: z.object({ dynamodb: z.url(), secretsmanager: z.url(), sqs: z.url() }),
    variables: stageVariables,
  }),
});

const localStage = (file: string): StageResources => {
  if (!existsSync(file)) {
    throw new UserError(
      `No stage was found (${file} does not exist): start the local one with "npm start", name its file with --stack or ` +
        'TRANSACTIONS_STACK, or name a deployed one with --outputs <file that "cdk deploy -O" wrote>.',
    );
  }
  const stack = stackFile.safeParse(readJson(file));
  if (!stack.success) throw new UserError(`${file} does not describe a running stage: start it again.`);
  const { operator, clock } = stack.data;
  const moved = { ...(clock && { clockAheadMs: clock.aheadMs }) };
  return { endpoints: operator.endpoints, ...resourcesOf(operator.variables), ...moved };
};

const resourcesOf = (named: z.infer<typeof stageVariables>) => ({
  name: named.STAGE,
  tables: {
    transactions: named.TRANSACTIONS_TABLE,
    listing: named.LISTING_TABLE,
    partners: named.PARTNERS_TABLE,
    debounce: named.DEBOUNCE_TABLE,
    requests: named.REQUESTS_TABLE,
    audit: named.AUDIT_TABLE,
  },
  keySecrets: {
    access: named.ACCESS_KEYS_SECRET,
    session: named.SESSION_KEYS_SECRET,
    pepper: named.PEPPER_SECRET,
  },
  deadLetterQueueArn: named.DEAD_LETTER_QUEUE_ARN,
  endpointsQueueUrl: named.ENDPOINTS_QUEUE_URL,
  dormancyMs: named.DORMANCY_SECONDS * 1000,
  functions: readFunctions(named.FUNCTIONS),
});

/** `{ "<stack>": { "<output>": "<value>" } }`, one entry per deployed stack. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

const outputNames = {
  STAGE: 'StageName',
  TRANSACTIONS_TABLE: 'TransactionsTable',
  LISTING_TABLE: 'ListingTable',
  PARTNERS_TABLE: 'PartnersTable',
  DEBOUNCE_TABLE: 'DebounceTable',
  REQUESTS_TABLE: 'RequestsTable',
  AUDIT_TABLE: 'AuditTable',
  ACCESS_KEYS_SECRET: 'AccessKeysSecret',
  SESSION_KEYS_SECRET: 'SessionKeysSecret',
  PEPPER_SECRET: 'PepperSecret',
  DEAD_LETTER_QUEUE_ARN: 'DeadLetterQueueArn',
  ENDPOINTS_QUEUE_URL: 'EndpointsQueueUrl',
  DORMANCY_SECONDS: 'DormancySeconds',
  FUNCTIONS: 'Functions',
} as const;

const deployedStage = (file: string): StageResources => {
  if (!existsSync(file)) throw new UserError(`${file} does not exist.`);
  const stacks = outputsFile.safeParse(readJson(file));
  const merged = stacks.success ? mergedOutputs(stacks.data, file) : {};
  const found = deployedVariables.safeParse(
    Object.fromEntries(Object.entries(outputNames).map(([variable, output]) => [variable, merged[output]])),
  );
  if (found.success) return { ...resourcesOf(found.data), place: placeOf(found.data, file) };
  const missing = Object.values(outputNames).filter((output) => merged[output] === undefined);
  throw new UserError(`${file} is not an outputs file of this service: it lacks ${missing.join(', ')}.`);
};

/** The outputs of all stacks. Refuses those of two stages, which would mix the tables of both. */
const mergedOutputs = (stacks: z.infer<typeof outputsFile>, file: string): Record<string, string> => {
  const named = new Map<string, string>();
  for (const [name, value] of Object.values(stacks).flatMap(Object.entries<string>)) {
    if (ours.has(name) && (named.get(name) ?? value) !== value)
      throw new UserError(
        `${file} describes more than one stage: deploy each with an --outputs-file of its own.`,
      );
    named.set(name, value);
  }
  return Object.fromEntries(named);
};

const ours = new Set<string>(Object.values(outputNames));

/** `arn` is `arn:aws:sqs:<region>:<account>:<name>`. */
const placeOf = ({ DEAD_LETTER_QUEUE_ARN: arn }: z.infer<typeof stageVariables>, outputs: string) => {
  const [, , , region = '', account = ''] = arn.split(':');
  return { region, account, outputs };
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
};
