import { root } from '../support/repository.ts';
import { accountEnvironment, type Emulator } from './account.ts';
import { outputsFile } from './cdk.ts';
import { binary, inWorkspace } from './places.ts';
import { run } from './processes.ts';

/** Runs the operator's tool against the deployed stacks and returns the JSON document it prints. */
export type Operator = (...words: string[]) => Promise<unknown>;

export const operatorOf = (emulator: Emulator): Operator => {
  let calls = 0;
  return async (...words) => {
    calls += 1;
    const printed = await run({
      command: binary('node'),
      args: [`${root}/bin/operator.ts`, '--outputs', outputsFile, '--json', ...words],
      env: accountEnvironment(emulator),
      logFile: inWorkspace(`operator-${calls}.log`),
      timeoutSeconds: 150,
    });
    return JSON.parse(printed);
  };
};
