import { spawnSync } from 'node:child_process';
import type { World } from '../journeys/world.ts';
import type { Emulator } from './account.ts';
import { diff, type Outputs } from './cdk.ts';
import { deployByScript, installLocalStack, startLocalStack } from './localstack.ts';
import { keepFunctionLogs } from './logs.ts';
import { emptyWorkspace } from './places.ts';
import { stopAll } from './processes.ts';
import { proveLifecycle } from './proofs/lifecycle-checks.ts';
import { proveJourneys } from './proofs/prove-journeys.ts';
import { proveRecovery } from './proofs/recovery-checks.ts';
import { proveSmoke } from './proofs/smoke-checks.ts';
import type { Report } from './report.ts';
import { runProofs } from './run-proofs.ts';

/** `npm run test:deploy`: deploys the real templates to a LocalStack without Docker and runs all journeys on them. */
const proveDeployment = async (report: Report) => {
  await report.need('Java and Maven are there', findTools);
  emptyWorkspace();
  report.announce('LocalStack and DynamoDB Local under .local/localstack-community (made once)');
  await report.need('LocalStack is installed', installLocalStack);
  const { localStack, outputs } = await deployFirst(report);
  let world: World;
  try {
    await report.prove('D-14 `cdk diff` finds nothing to deploy once more', () => diff(localStack));
    world = await proveJourneys(report, { emulator: localStack, outputs });
    await proveSmoke(report, localStack);
  } finally {
    await keepFunctionLogs(localStack);
  }
  report.announce('A table goes back');
  const release = await proveRecovery(report, { emulator: localStack, outputs, world });
  report.announce('The service goes, and comes again');
  await proveLifecycle(report, localStack, release);
};

/** DynamoDB Local is a Java program, and Maven fetches it. Without them nothing is proven, so the run fails. */
const findTools = async () => {
  const missing = ['java', 'mvn'].filter((tool) => spawnSync(tool, ['-version']).error);
  if (missing.length > 0) throw new Error(`Install ${missing.join(' and ')}, or put it on the PATH.`);
};

/**
 * DynamoDB Local now and then makes a table and never answers, so that LocalStack asks again and refuses the table as one
 * that exists. That says nothing of the templates: once, an empty LocalStack is tried instead.
 */
const deployFirst = async (report: Report, isSecond = false): Promise<Deployed> => {
  report.announce('Empty AWS on loopback; all logs under .local/test-deploy');
  const localStack = await report.need('LocalStack is up', startLocalStack);
  report.announce('Deploying the staging stage');
  const deployed = deployByScript(localStack);
  if (isSecond || !(await hasLostAnswer(deployed)))
    return { localStack, outputs: await report.need('`localstack/deploy.sh` succeeds', () => deployed) };
  report.announce(
    'LocalStack lost the answer of DynamoDB Local to CreateTable: trying again with an empty one',
  );
  await stopAll();
  return deployFirst(report, true);
};

const hasLostAnswer = (deployed: Promise<Outputs>) =>
  deployed.then(
    () => false,
    (fault: Error) => fault.message.includes('Table already exists'),
  );

type Deployed = { localStack: Emulator; outputs: Outputs };

await runProofs(proveDeployment);
