import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { ProbeAnswer } from '../shared/outbound/probe/test-message.ts';
import { requestLimits } from '../shared/runtime/sdk/request-limits.ts';
import type { CheckDeps } from './check.ts';

/** The time limit covers three messages of 5 s each. There are no retries, so no test message is sent twice. */
export const createProbeClient = (): LambdaClient =>
  new LambdaClient({ ...requestLimits(20_000), maxAttempts: 1 });

/** Invokes `probe-endpoint`. Its error is not repeated, because its input contains a signature. */
export const createProbe =
  ({
    client,
    functionName,
  }: {
    client: Pick<LambdaClient, 'send'>;
    functionName: string;
  }): CheckDeps['probe'] =>
  async (request) => {
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) });
    const { FunctionError, Payload } = await client.send(command);
    if (FunctionError !== undefined || Payload === undefined) throw new Error('probe-endpoint failed');
    return JSON.parse(Buffer.from(Payload).toString()) as ProbeAnswer[];
  };
