import { proveAftermath } from './aftermath-checks.ts';
import { proveCheckout } from './buyer-checks.ts';
import { bootstrap, deploy, synthesise } from './cdk.ts';
import { deployedAt } from './deployed.ts';
import { proveEvents } from './event-checks.ts';
import { eventPlaceOf } from './event-place.ts';
import { invokerOf } from './functions.ts';
import { proveReads } from './list-checks.ts';
import { keepFunctionLogs } from './logs.ts';
import { type Ministack, startMinistack } from './ministack.ts';
import { operate } from './operated.ts';
import { operatorOf } from './operator.ts';
import { emptyWorkspace } from './places.ts';
import { killAll, stopAll } from './processes.ts';
import { pythonWithMinistack } from './python.ts';
import { proveRefusals } from './refusal-checks.ts';
import { Halted, Report } from './report.ts';
import { proveTokens, tokenOf } from './token-checks.ts';
import { proveWrites } from './write-checks.ts';

/** `npm run test:deploy`: the real templates on an emulated AWS, and a partner's first ten minutes on them. */
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
  const deployed = deployedAt(ministack, outputs);

  report.announce("The operator's tool against the deployed stacks");
  const operator = operatorOf(ministack);
  const credentials = await operate(report, operator);

  report.announce("A partner's first ten minutes over HTTP");
  await proveTokens(report, deployed, credentials);
  const both = await report.need('TOK-1: a token for everything', () => tokenOf(deployed, credentials));
  const writeOnly = await report.need('TOK-1: a token that may not read', () =>
    tokenOf(deployed, credentials, 'grant_type=client_credentials&scope=nop2%2Fwrite'),
  );
  await proveReads(report, deployed, both);
  await proveRefusals(report, deployed, { both, writeOnly });

  report.announce("A buyer's first minutes over HTTP");
  await proveCheckout(report, deployed, both);

  report.announce('From a first click to a payment');
  await proveWrites(report, deployed, { both, writeOnly });

  report.announce('From a change to the bus');
  const { clientId } = credentials;
  const place = eventPlaceOf(ministack, outputs);
  const invoke = await report.need('The functions can be called by hand', () => invokerOf(ministack));
  await proveEvents(report, deployed, { place, invoke, token: both, clientId });

  report.announce('What is left behind');
  const secrets = [credentials.clientSecret, both, writeOnly];
  await proveAftermath(report, { ministack, deployed, operator, secrets });
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
