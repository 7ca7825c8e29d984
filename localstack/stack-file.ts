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

/** The running stage for programs (RUN-2): `.local/stack.json`, and what the operator's tool needs to reach the stores. */
export type StackFile = DemoData & {
  baseUrl: string;
  authUrl: string;
  /** `<this>/<partner>` takes a partner's messages, and this lists the latest ones; only with the demo data. */
  receiverUrl?: string;
  /** How far its clock was moved on (RUN-12). */
  clock: { aheadMs: number };
  operator: {
    endpoints: Endpoints;
    variables: Record<string, string>;
  };
  /** The processes of the stage, for those who measure or test it. */
  processes: { stage: number; engine: number | undefined };
};

/** The operator's tool reads the same variables as the functions do. */
export const operatorVariables = ({ tables, secrets, functions, outputs }: Cloud): Record<string, string> => {
  const table = (id: string) => tables.find((one) => one.id === id)?.name ?? '';
  const secret = (id: string) => secrets.find((one) => one.id === id)?.arn ?? '';
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
    // What is no output stands in the variables of the functions that publish.
    EVENT_SOURCE: variable('EVENT_SOURCE'),
  };
};
