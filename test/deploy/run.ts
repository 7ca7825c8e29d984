import { spawnSync } from 'node:child_process';
import type { Emulator } from './account.ts';
import { diff } from './cdk.ts';
import { invokerOf } from './functions.ts';
import { proveLifecycle } from './lifecycle-checks.ts';
import { deployByScript, installLocalStack, startLocalStack } from './localstack.ts';
import { keepFunctionLogs } from './logs.ts';
import { emptyWorkspace } from './places.ts';
import { proveJourneys } from './prove-journeys.ts';
import type { Report } from './report.ts';
import { runToEnd } from './run-to-end.ts';
import { proveSmoke } from './smoke-checks.ts';

/** `npm run test:deploy`: deploys the real templates to a LocalStack without Docker and runs all journeys on them. */
const proveDeployment = async (report: Report) => {
  emptyWorkspace();
  report.announce('LocalStack and DynamoDB Local under .local/localstack-community (made once)');
  await report.need('LocalStack is installed', installLocalStack);
  report.announce('Empty AWS on loopback; all logs under .local/test-deploy');
  const localStack = await report.need('LocalStack is up', startLocalStack);
  try {
    await proveStage(report, localStack);
  } finally {
    await keepFunctionLogs(localStack);
  }
  report.announce('Another release, one with other outputs, and the end');
  await proveLifecycle(report, { emulator: localStack, invoke: await invokerOf(localStack) });
};

const proveStage = async (report: Report, localStack: Emulator) => {
  report.announce('Deploying the staging stage');
  const outputs = await report.need('`localstack/deploy.sh` succeeds', () => deployByScript(localStack));
  await report.prove('D-14 `cdk diff` finds nothing to deploy once more', () => diff(localStack));
  await proveJourneys(report, { emulator: localStack, outputs });
  await proveSmoke(report, localStack);
};

// DynamoDB Local is a Java program, and Maven fetches it.
const missing = ['java', 'mvn'].filter((tool) => spawnSync(tool, ['-version']).error);
if (missing.length > 0) {
  console.log(`Not run: test:deploy, for the PATH has no ${missing.join(' and no ')}`);
  process.exit(0);
}
await runToEnd(proveDeployment);
