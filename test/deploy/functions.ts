import assert from 'node:assert/strict';
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { type Emulator, settingsFor } from './account.ts';

/** Calls deployed functions by their names, `publish-dormant`, and waits for their end. */
export type Invoke = (name: string, event: object) => Promise<void>;

export const invokerOf = async (emulator: Emulator): Promise<Invoke> => {
  const client = new LambdaClient(settingsFor(emulator));
  const { Functions = [] } = await client.send(new ListFunctionsCommand({ MaxItems: 50 }));
  return async (name, event) => {
    const FunctionName = Functions.find(({ Description }) => Description === name)?.FunctionName;
    const asked = new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) });
    const { FunctionError, Payload = new Uint8Array() } = await client.send(asked);
    assert.equal(FunctionError, undefined, Buffer.from(Payload).toString());
  };
};
