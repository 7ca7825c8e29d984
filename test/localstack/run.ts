import { spawnSync } from 'node:child_process';
import { keepFunctionLogs } from '../deploy/logs.ts';
import { emptyWorkspace } from '../deploy/places.ts';
import { proveJourneys } from '../deploy/prove-journeys.ts';
import type { Report } from '../deploy/report.ts';
import { runToEnd } from '../deploy/run-to-end.ts';
import { proveSmoke } from '../deploy/smoke-checks.ts';
import { eventChecks } from './event-checks.ts';
import { deployByScript, installLocalStack, startLocalStack } from './localstack.ts';
import { notCarried, smokeNotCarried } from './not-carried.ts';

/** `npm run test:localstack`: deploys the real templates to a LocalStack without Docker and runs all journeys on them. */
const proveLocalStack = async (report: Report) => {
  emptyWorkspace();
  report.announce('LocalStack and DynamoDB Local under .local/localstack-community (made once)');
  await report.need('LocalStack is installed', installLocalStack);
  report.announce('Empty AWS on loopback; all logs under .local/test-localstack');
  const localStack = await report.need('LocalStack is up', startLocalStack);
  try {
    report.announce('Deploying the staging stage');
    const outputs = await report.need('`localstack/deploy.sh` succeeds', () => deployByScript(localStack));
    const proveMore = eventChecks(localStack, outputs);
    await proveJourneys(report, { emulator: localStack, outputs, proveMore, notCarried });
    await proveSmoke(report, localStack, smokeNotCarried);
  } finally {
    await keepFunctionLogs(localStack);
  }
};

// DynamoDB Local is a Java program, and Maven fetches it.
const missing = ['java', 'mvn'].filter((tool) => spawnSync(tool, ['-version']).error);
if (missing.length > 0) {
  console.log(`Not run: test:localstack, for the PATH has no ${missing.join(' and no ')}`);
  process.exit(0);
}
await runToEnd(proveLocalStack);
