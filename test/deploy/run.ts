import type { Emulator } from './account.ts';
import { bootstrap, deploy, diff, synthesise } from './cdk.ts';
import { deployedAt } from './deployed.ts';
import { invokerOf } from './functions.ts';
import { proveLifecycle } from './lifecycle-checks.ts';
import { keepFunctionLogs } from './logs.ts';
import { startMinistack } from './ministack.ts';
import { notCarried } from './not-carried.ts';
import { emptyWorkspace } from './places.ts';
import { proveJourneys } from './prove-journeys.ts';
import { pythonWithMinistack } from './python.ts';
import type { Report } from './report.ts';
import { runToEnd } from './run-to-end.ts';
import { proveSmoke } from './smoke-checks.ts';

/** `npm run test:deploy`: deploys the real templates to an emulated AWS and runs all journeys on them. */
const proveDeployment = async (report: Report) => {
  emptyWorkspace();
  report.announce('Python environment of MiniStack under .local/ministack (made once)');
  const python = await report.need('MiniStack is installed', pythonWithMinistack);
  report.announce('Empty AWS on loopback; all logs under .local/test-deploy');
  const ministack = await report.need('MiniStack is up', () => startMinistack(python));
  try {
    await proveStacks(report, ministack);
  } finally {
    await keepFunctionLogs(ministack);
  }
};

const proveStacks = async (report: Report, ministack: Emulator) => {
  report.announce('Deploying the staging stage');
  await report.need('`cdk synth` succeeds', () => synthesise(ministack));
  await report.need('`cdk bootstrap` succeeds', () => bootstrap(ministack));
  const outputs = await report.need('`cdk deploy --all` succeeds', () => deploy(ministack));
  await report.prove('D-14 `cdk diff` finds nothing to deploy once more', () => diff(ministack));
  await proveJourneys(report, { emulator: ministack, outputs });
  await proveSmoke(report, ministack, notCarried);

  report.announce('Another release, a broken one, and the end');
  const world = deployedAt(ministack, outputs);
  await proveLifecycle(report, { emulator: ministack, invoke: await invokerOf(ministack), world });
};

await runToEnd(proveDeployment);
