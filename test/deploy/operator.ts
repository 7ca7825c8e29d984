import { root } from '../support/repository.ts';
import { accountEnvironment } from './account.ts';
import { outputsFile } from './cdk.ts';
import type { Ministack } from './ministack.ts';
import { binary, inWorkspace } from './places.ts';
import { run } from './processes.ts';

/** Runs the operator's tool against the deployed stacks and returns the JSON document it prints. */
export type Operator = (...words: string[]) => Promise<unknown>;

export const operatorOf = (ministack: Ministack): Operator => {
  let calls = 0;
  return async (...words) => {
    calls += 1;
    const printed = await run({
      command: binary('node'),
      args: [`${root}/bin/operator.ts`, '--outputs', outputsFile, '--json', ...words],
      env: accountEnvironment(ministack),
      logFile: inWorkspace(`operator-${calls}.log`),
      timeoutSeconds: 60,
    });
    return JSON.parse(printed);
  };
};
