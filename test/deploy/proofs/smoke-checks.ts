import assert from 'node:assert/strict';
import { runSmoke } from '../../support/run/smoke-command.ts';
import { accountEnvironment, type Emulator } from '../account.ts';
import { outputsFile } from '../cdk.ts';
import { notCarried } from '../not-carried.ts';
import { binary } from '../places.ts';
import type { Report } from '../report.ts';

/** Runs `npm run smoke -- --outputs outputs.json` as an operator does, against deployed stacks. */
export const proveSmoke = (report: Report, emulator: Emulator): Promise<void> =>
  report.prove(
    'D-40 the smoke test finds wrong what LocalStack does not carry, and nothing else',
    async () => {
      const { code, said } = await runSmoke(
        ['--outputs', outputsFile],
        accountEnvironment(emulator),
        binary('node'),
      );
      const failed = [...said.matchAll(/FAILED {2}(.+) \([\d.]+ s\)$/gm)].map(([, title = '']) => title);

      assert.equal(code, 1, said);
      assert.deepEqual(
        failed.filter((title) => notCarried[title] === undefined),
        [],
        said,
      );
      assert.match(said, /ok {6}DEL-1 RUN-4 .+\n\d+ passed, 4 failed\n$/);
    },
  );
