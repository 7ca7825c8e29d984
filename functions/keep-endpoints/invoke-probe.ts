import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { ProbeAnswer } from '../shared/outbound/probe/test-message.ts';
import type { CheckDeps } from './check.ts';

/** Has `probe-endpoint` send test messages. What it says when it fails is not repeated: it was handed a signature. */
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
