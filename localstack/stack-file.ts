import type { Grant } from '../functions/shared/domain/ownership/grant.ts';
import type { Cloud } from './cloudformation/model.ts';
import type { Endpoints } from './lambda/functions.ts';

export type DemoPartner = {
  name: string;
  clientId: string;
  clientSecret: string;
  webhookSignature: string;
  grants: Grant[];
};

export type DemoData = { partners: DemoPartner[]; storefronts: Record<string, unknown>[] };

/** `.local/stack.json`: the running stage for programs (RUN-2), and the access of the operator's tool to the stores. */
export type StackFile = DemoData & {
  baseUrl: string;
  authUrl: string;
  /** Lists the latest messages; `<receiverUrl>/<partner>` receives a partner's. Only with the demo data. */
  receiverUrl?: string;
  /** How far the clock was moved on (RUN-12). */
  clock: { aheadMs: number };
  operator: {
    endpoints: Endpoints;
    variables: Record<string, string>;
  };
  /** The processes of the stage, for benchmarks and tests. */
  processes: { stage: number; engine: number | undefined };
};

/** The variables of the functions that the operator's tool reads as well. */
export const operatorVariables = ({ tables, secrets, functions, outputs }: Cloud): Record<string, string> => {
  const table = (logicalId: string) => tables.find(({ id }) => id === logicalId)?.name ?? '';
  const secret = (logicalId: string) => secrets.find(({ id }) => id === logicalId)?.arn ?? '';
  const variable = (name: string) =>
    functions.find(({ variables }) => variables[name] !== undefined)?.variables[name] ?? '';
  return {
    TRANSACTIONS_TABLE: table('Transactions'),
    LISTING_TABLE: table('Listing'),
    PARTNERS_TABLE: table('Partners'),
    REQUESTS_TABLE: table('Requests'),
    AUDIT_TABLE: table('Audit'),
    ACCESS_KEYS_SECRET: secret('AccessKeys'),
    SESSION_KEYS_SECRET: secret('SessionKeys'),
    PEPPER_SECRET: secret('Pepper'),
    DEBOUNCE_TABLE: table('Debounce'),
    STAGE: outputs.StageName ?? '',
    EVENT_BUS: outputs.EventBusName ?? '',
    DELIVERY_ROLE_ARN: outputs.DeliveryRoleArn ?? '',
    DEAD_LETTER_QUEUE_ARN: outputs.DeadLetterQueueArn ?? '',
    ENDPOINTS_QUEUE_URL: outputs.EndpointsQueueUrl ?? '',
    DORMANCY_SECONDS: outputs.DormancySeconds ?? '',
    // Not an output, so it is read from the variables of a function.
    EVENT_SOURCE: variable('EVENT_SOURCE'),
  };
};
