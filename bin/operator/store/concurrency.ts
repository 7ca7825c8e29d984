import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';

/** A deployed function: its name in the service, its name in AWS, and the concurrency that the deployment reserves. */
export type StageFunction = { name: string; functionName: string; reserved?: number | undefined };

/** The reserved concurrency of functions. A function with 0 is not called. */
export type Concurrency = {
  reserved: (of: StageFunction) => Promise<number | undefined>;
  /** `undefined` removes the reservation. */
  reserve: (of: StageFunction, executions: number | undefined) => Promise<void>;
};

/** Reads and changes the reserved concurrency of functions by Lambda's API. */
export const createConcurrency = (client: LambdaClient): Concurrency => ({
  reserved: async ({ functionName: FunctionName }) =>
    (await client.send(new GetFunctionConcurrencyCommand({ FunctionName }))).ReservedConcurrentExecutions,
  reserve: async ({ functionName: FunctionName }, ReservedConcurrentExecutions) => {
    if (ReservedConcurrentExecutions === undefined)
      await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    else await client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  },
});

/** Reads the output `Functions`: `v2-read=<function name>,v2-write=<function name>:100`. */
export const readFunctions = (output: string | undefined): StageFunction[] =>
  (output ?? '')
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [name = '', functionName = '', reserved] = entry.split(/[=:]/);
      return { name, functionName, ...(reserved !== undefined && { reserved: Number(reserved) }) };
    });
