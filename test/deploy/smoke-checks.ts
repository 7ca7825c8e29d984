import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { root } from '../support/repository.ts';
import { accountEnvironment, type Emulator } from './account.ts';
import { outputsFile } from './cdk.ts';
import { notCarried } from './not-carried.ts';
import { binary } from './places.ts';
import type { Report } from './report.ts';

/** Runs `npm run smoke -- --outputs outputs.json` as an operator does, against deployed stacks. */
export const proveSmoke = (report: Report, emulator: Emulator): Promise<void> =>
  report.prove(
    'D-40 the smoke test finds wrong what LocalStack does not carry, and nothing else',
    async () => {
      const { code, said } = await smoke(emulator);
      const failed = [...said.matchAll(/FAILED {2}(.+) \([\d.]+ s\)$/gm)].map(([, title = '']) => title);

      assert.equal(code, 1, said);
      assert.deepEqual(
        failed.filter((title) => notCarried[title] === undefined),
        [],
        said,
      );
      assert.match(said, /ok {6}DEL-1 RUN-4 .+\n\d+ passed, 5 failed\n$/);
    },
  );

const smoke = (emulator: Emulator) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const words = ['--no-warnings', `${root}/test/smoke/run.ts`, '--outputs', outputsFile];
    const options = { env: accountEnvironment(emulator), timeout: 120_000 };
    execFile(binary('node'), words, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
