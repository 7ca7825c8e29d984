import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { isPackagedNode } from '../../../lib/packaged-node.ts';
import { root } from '../../support/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command with a program in place of the AWS CLI, or with none. */
const preflight = (words: readonly string[], program: string | undefined) => {
  rmSync(join(folder, 'aws'), { force: true });
  if (program !== undefined) writeFileSync(join(folder, 'aws'), program, { mode: 0o755 });
  return new Promise<{ status: unknown; printed: string; said: string }>((resolve) =>
    execFile(
      process.execPath,
      [join(root, 'bin/preflight.ts'), ...words],
      { env: { PATH: program === undefined ? folder : `${folder}:/usr/bin:/bin`, HOME: folder } },
      (error, printed, said) => resolve({ status: error?.code ?? 0, printed, said }),
    ),
  );
};

/** Answers for the account and one alarm, and refuses everything else. */
const cli = `#!/bin/sh
case "$1 $2" in
  'sts get-caller-identity') echo '"111122223333"' ;;
  'cloudwatch describe-alarms') echo '["transactions-production-api-faults-TokenApi"]' ;;
  *) echo "An error occurred (AccessDenied) when calling $2" >&2; exit 254 ;;
esac
`;

test('D-12 D-16 S-84 names the Node, the account and the alarm that would roll production back, and ends with 1', async () => {
  const { status, printed } = await preflight(['--stage', 'production'], cli);

  expect(printed).toContain('Stage production in account 111122223333, eu-west-2\n');
  expect(printed).toContain(
    `${isPackagedNode(process.execPath) ? 'OPEN' : 'ok  '}  Node: ${process.execPath}`,
  );
  expect(printed).toContain(
    'OPEN  Account: lib/config.ts names none for production\n' +
      '        → if it is 111122223333, write that into account of production\n',
  );
  expect(printed).toContain(
    'OPEN  Gradual deployment: would be rolled back, because these alarms are in ALARM: transactions-production-api-faults-TokenApi\n' +
      '        → deploy with -c shift=at-once\n',
  );
  expect(printed).toContain('??    CDK bootstrap: could not be read: An error occurred (AccessDenied)');
  expect(status).toBe(1);
});

test('D-12 reads no alarms for staging, which shifts all calls at once, and prints one JSON document', async () => {
  const { printed } = await preflight(['--stage', 'staging', '--json'], cli);
  const { account, region, findings } = JSON.parse(printed);

  expect([account, region]).toEqual(['111122223333', 'eu-west-2']);
  expect(findings.map(({ subject }: { subject: string }) => subject)).not.toContain('Gradual deployment');
});

test.each([
  [
    'without credentials',
    '#!/bin/sh\necho "Unable to locate credentials" >&2; exit 253\n',
    'Unable to locate credentials\n',
  ],
  ['without the AWS CLI', undefined, 'The AWS CLI was not found: install "aws" of version 2.\n'],
])('D-08 %s it ends with 1 and one sentence', async (_, program, said) => {
  expect(await preflight(['--stage', 'staging'], program)).toEqual({ status: 1, printed: '', said });
});
