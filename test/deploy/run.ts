import { aftermathJourney, httpJourneys } from '../journeys/journeys.ts';
import type { Journey, World } from '../journeys/world.ts';
import { bootstrap, deploy, synthesise } from './cdk.ts';
import { deployedAt } from './deployed.ts';
import { proveEvents } from './event-checks.ts';
import { eventPlaceOf } from './event-place.ts';
import { invokerOf } from './functions.ts';
import { keepFunctionLogs } from './logs.ts';
import { type Ministack, startMinistack } from './ministack.ts';
import { emptyWorkspace } from './places.ts';
import { killAll, stopAll } from './processes.ts';
import { pythonWithMinistack } from './python.ts';
import { Halted, Report } from './report.ts';

/** `npm run test:deploy`: deploys the real templates to an emulated AWS and runs all journeys on them. */
const proveDeployment = async (report: Report) => {
  emptyWorkspace();
  report.announce('Python environment of MiniStack under .local/ministack (made once)');
  const python = await report.need('MiniStack is installed', pythonWithMinistack);
  report.announce('Empty AWS on loopback; all logs under .local/deploy');
  const ministack = await report.need('MiniStack is up', () => startMinistack(python));
  try {
    await proveStacks(report, ministack);
  } finally {
    await keepFunctionLogs(ministack);
  }
};

const proveStacks = async (report: Report, ministack: Ministack) => {
  report.announce('Deploying the staging stage');
  await report.need('`cdk synth` succeeds', () => synthesise(ministack));
  await report.need('`cdk bootstrap` succeeds', () => bootstrap(ministack));
  const outputs = await report.need('`cdk deploy --all` succeeds', () => deploy(ministack));
  const world = deployedAt(ministack, outputs);

  for (const journey of httpJourneys()) await proveJourney(report, journey, world);

  report.announce('From a change to the bus');
  const place = eventPlaceOf(ministack, outputs);
  const invoke = await report.need('The functions can be called by hand', () => invokerOf(ministack));
  await proveEvents(report, { place, invoke, world });

  await proveJourney(report, aftermathJourney, world);
};

const proveJourney = async (report: Report, { name, steps }: Journey, world: World) => {
  report.announce(name);
  for (const { title, check, isFoundation } of steps) {
    if (isFoundation) await report.need(title, () => check(world));
    else await report.prove(title, () => check(world));
  }
};

const report = new Report();

const end = async () => {
  await stopAll();
  process.exit(report.close() ? 0 : 1);
};

process.on('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    report.abandon(`stopped by ${signal}`);
    void end();
  });
}

try {
  await proveDeployment(report);
} catch (fault) {
  if (!(fault instanceof Halted)) report.abandon(String(fault));
}
await end();
