import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import type { VariableName } from '../../functions/shared/runtime/environment.ts';

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
    endpoints: Record<'dynamodb' | 'secretsmanager' | 'eventbridge' | 'sqs' | 'lambda', string>;
    variables: Record<string, string>;
  };
  /** The processes of the stage, for benchmarks and tests. */
  processes: { stage: number; engine: number | undefined };
};

/** The facts of a running stage that the operator's tool needs, under the names that it reads. */
export const operatorAccess = (
  variables: Record<VariableName, string>,
  { dynamodb, aws }: { dynamodb: string; aws: string },
): StackFile['operator'] => {
  const {
    DEAD_LETTER_QUEUE: DEAD_LETTER_QUEUE_ARN,
    DELIVERY_ROLE: DELIVERY_ROLE_ARN,
    ENDPOINT_QUEUE: ENDPOINTS_QUEUE_URL,
    ...others
  } = variables;
  return {
    endpoints: { dynamodb, secretsmanager: aws, eventbridge: aws, sqs: aws, lambda: aws },
    variables: { ...others, DEAD_LETTER_QUEUE_ARN, DELIVERY_ROLE_ARN, ENDPOINTS_QUEUE_URL },
  };
};
