import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { Result } from '../../bin/smoke/check.ts';
import { root } from '../support/repository.ts';
import { accountEnvironment, type Emulator } from './account.ts';
import { outputsFile } from './cdk.ts';
import { smokeNotCarried } from './not-carried.ts';
import { binary } from './places.ts';
import type { Report } from './report.ts';

/** Runs the smoke test as an operator does, against deployed stacks. */
export const proveSmoke = async (report: Report, emulator: Emulator): Promise<void> => {
  report.announce('The smoke test');
  const results = await report.need('D-40 `npm run smoke` comes to its end', () => smoke(emulator));
  for (const result of results) {
    const attempt = async () => assertPassed(result);
    const why = smokeNotCarried[result.title];
    if (why !== undefined) await report.miss(result.title, { why, attempt });
    else if (result.state !== 'skipped') await report.prove(result.title, attempt);
  }
};

const assertPassed = (result: Result) => {
  if (result.state === 'failed') assert.fail(`expected ${result.expected}, came ${result.came}`);
};

/** It ends with 1 where something is not as it has to be; its document tells what. */
const smoke = (emulator: Emulator): Promise<Result[]> =>
  new Promise((resolve, reject) => {
    const words = ['--no-warnings', `${root}/bin/smoke.ts`, '--outputs', outputsFile, '--json'];
    const options = { env: accountEnvironment(emulator), timeout: 120_000 };
    execFile(binary('node'), words, options, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(stderr || error.message));
      else resolve(JSON.parse(stdout));
    });
  });
