import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorRefusal } from './operator-refusal.ts';

/** Where one stage keeps its data. Without endpoints the SDK's own settings count (region, credentials, AWS_ENDPOINT_URL). */
export type Stage = {
  endpoints?: { dynamodb: string; secretsmanager: string };
  tables: { transactions: string; listing: string; partners: string };
  pepperSecret: string;
};

export type StageChoice = { outputs?: string; stack?: string };

/** RUN-4: the same commands against the local stage and a deployed one. */
export const readStage = ({ outputs, stack }: StageChoice, defaultStack: string): Stage =>
  outputs === undefined ? localStage(stack ?? defaultStack) : deployedStage(outputs);

const variables = z.object({
  TRANSACTIONS_TABLE: z.string(),
  LISTING_TABLE: z.string(),
  PARTNERS_TABLE: z.string(),
  PEPPER_SECRET: z.string(),
});

const stackFile = z.object({
  operator: z.object({
    endpoints: z.object({ dynamodb: z.url(), secretsmanager: z.url() }),
    variables,
  }),
});

const localStage = (file: string): Stage => {
  if (!existsSync(file)) {
    throw new OperatorRefusal(
      `No stage was found (${file} does not exist): start the local one with "npm start", name its file with --stack or ` +
        'TRANSACTIONS_STACK, or name a deployed one with --outputs <file that "cdk deploy -O" wrote>.',
    );
  }
  const stack = stackFile.safeParse(readJson(file));
  if (!stack.success) throw new OperatorRefusal(`${file} does not describe a running stage: start it again.`);
  const { endpoints, variables } = stack.data.operator;
  return { endpoints, ...placesOf(variables) };
};

const placesOf = (named: z.infer<typeof variables>) => ({
  tables: {
    transactions: named.TRANSACTIONS_TABLE,
    listing: named.LISTING_TABLE,
    partners: named.PARTNERS_TABLE,
  },
  pepperSecret: named.PEPPER_SECRET,
});

/** `{ "<stack>": { "<output>": "<value>" } }`, of however many stacks were deployed. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

const outputNames = {
  TRANSACTIONS_TABLE: 'TransactionsTable',
  LISTING_TABLE: 'ListingTable',
  PARTNERS_TABLE: 'PartnersTable',
  PEPPER_SECRET: 'PepperSecret',
} as const;

const deployedStage = (file: string): Stage => {
  if (!existsSync(file)) throw new OperatorRefusal(`${file} does not exist.`);
  const stacks = outputsFile.safeParse(readJson(file));
  const merged = stacks.success ? Object.assign({}, ...Object.values(stacks.data)) : {};
  const found = variables.safeParse(
    Object.fromEntries(Object.entries(outputNames).map(([variable, output]) => [variable, merged[output]])),
  );
  if (found.success) return placesOf(found.data);
  const missing = Object.values(outputNames).filter((output) => merged[output] === undefined);
  throw new OperatorRefusal(
    `${file} is not an outputs file of this service: it lacks ${missing.join(', ')}.`,
  );
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new OperatorRefusal(`${file} is not JSON.`);
  }
};
