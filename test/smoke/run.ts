import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { Halted, Report } from '../deploy/report.ts';
import { takeTokens } from '../journeys/clients.ts';
import { burstJourney } from '../journeys/gateway.ts';
import { readingJourneys, writingJourneys } from '../journeys/journeys.ts';
import { advised, proveJourney } from '../journeys/prove.ts';
import { sendTo } from '../journeys/send.ts';
import { compressionJourney, transportJourney } from '../journeys/transport.ts';
import { type Credentials, type Journey, type Reach, type World, worldOf } from '../journeys/world.ts';
import { createOperatorTool } from '../support/operator/operator-process.ts';
import { root } from '../support/repository.ts';
import { numberOption } from '../support/run/numbers.ts';
import { type Addresses, readAddresses } from './addresses.ts';
import { type Guest, sendAway, smokeShop, welcomeGuest } from './guest.ts';
import { webhookJourney } from './webhook.ts';

type Options = { outputs?: string; receiver?: string; burst?: number };

const help = `
Makes a partner, and transactions in the group "smoke", which no shop has, and deletes both again; a storefront of that
group stays, retired, and the record of operators' changes names the run. No other transaction is read or changed.
With SMOKE_CLIENT_ID and SMOKE_CLIENT_SECRET of a partner it makes nothing at all, and only reads.

AWS credentials as the operator's tool takes them. AWS_ENDPOINT_URL names an emulator.
Ends with 0 when all is as it has to be, 1 when something is not (at once where no partner can be made), 2 when nothing could
be looked at.

Examples:
  npm run smoke -- --outputs outputs.json
  npm run smoke -- --outputs outputs.json --receiver https://hooks.example/smoke
  npm run smoke -- --outputs staging.json --burst 400`;

const readOptions = (): Options =>
  new Command('npm run smoke --')
    .description('Runs the journeys that change nothing of other callers on a deployed stage.')
    .option(
      '--outputs <file>',
      'the file that "cdk deploy --outputs-file" wrote; without it, the local stage',
    )
    .option('--receiver <url>', 'address that gets a webhook; the command prints what to check')
    .option(
      '--burst <number>',
      'number of parallel requests, to reach the throttle; callers notice it',
      numberOption({ least: 1, most: 10_000 }),
    )
    .addHelpText('after', help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Options>();

const endpoint = process.env.AWS_ENDPOINT_URL;

/** The operator's tool for the same stage as the addresses. */
const operatorOf = (outputs: string | undefined, stackFile: string): Reach['operator'] => {
  const tool = createOperatorTool(root, stackFile, 'ignore');
  return async (...words) => {
    const outcome = await tool(...words, ...(outputs === undefined ? [] : ['--outputs', outputs]));
    if (outcome.ok) return outcome.value;
    throw new Error(`operator ${words.slice(0, 2).join(' ')}: ${outcome.reason}`);
  };
};

const givenPartner = (): Credentials | undefined => {
  const { SMOKE_CLIENT_ID: clientId, SMOKE_CLIENT_SECRET: clientSecret } = process.env;
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
};

/** Ctrl-C ends the run after the present journey, and its data is removed. A second one ends it at once. */
const stopSignal = (): (() => boolean) => {
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
  });
  return () => isStopped;
};

type Run = Options & { report: Report; world: World & Addresses; isStopped: () => boolean };

/** What API Gateway does is to be seen on AWS alone. */
const isOnAws = ({ gatewayUrls }: Addresses) => gatewayUrls.length > 0 && endpoint === undefined;

const proveAll = async ({ report, world, isStopped }: Run, journeys: readonly Journey[]) => {
  for (const journey of journeys) {
    if (isStopped()) {
      report.abandon('stopped by SIGINT');
      throw new Halted('stopped by SIGINT');
    }
    await proveJourney(report, journey, world);
  }
};

const proveReading = (run: Run) =>
  proveAll(run, [
    ...readingJourneys,
    ...(isOnAws(run.world) ? [compressionJourney] : []),
    ...(run.burst === undefined ? [] : [burstJourney(run.burst)]),
  ]);

const proveWriting = (run: Run, guest: Guest) => {
  const { report, receiver: url } = run;
  const announce = (text: string) => report.announce(text);
  const webhook = url === undefined ? [] : [webhookJourney({ guest, url, announce })];
  return proveAll(run, [...writingJourneys(), ...webhook]);
};

const toWelcome =
  'the sentence is of the tool; with SMOKE_CLIENT_ID and SMOKE_CLIENT_SECRET of a partner nothing is made, and only reads are looked at';
const toSendAway =
  '`operator partner delete` and `operator storefront delete smoke` take the rest away; the next run deletes what is left in the group "smoke"';

const proveAsGuest = async (run: Run) => {
  const { report, world, receiver } = run;
  const guest = await report.need("RUN-5 the operator's tool makes a partner and a storefront", () =>
    advised(world, toWelcome, () => welcomeGuest(world.operator, randomBytes(4).toString('hex'), receiver)),
  );
  try {
    await proveAsPartner(run, guest);
    await proveWriting(run, guest);
  } finally {
    await report.prove('DEL-1 RUN-4 what the run has made is deleted again, partner and storefront too', () =>
      advised(world, toSendAway, () => sendAway(world, guest)),
    );
  }
};

const comingJourney: Journey = {
  name: 'a partner comes',
  steps: [
    {
      title: 'O-01 the partner is granted tokens',
      check: takeTokens,
      isFoundation: true,
      mend: '`operator partner show` says whether the partner is there and has a secret; the log of issue-token has the rest',
    },
  ],
};

const proveAsPartner = async (run: Run, partner: Credentials) => {
  run.world.partner = partner;
  await proveJourney(run.report, comingJourney, run.world);
  await proveReading(run);
};

/** `npm run smoke -- --outputs outputs.json`: what a template, an emulator and a rehearsal cannot show (D-40). */
const main = async (): Promise<boolean> => {
  const { outputs, ...options } = readOptions();
  const stackFile = process.env.TRANSACTIONS_STACK ?? join(root, '.local', 'stack.json');
  const addresses = readAddresses(outputs ?? stackFile);
  const reach = { ...addresses, send: sendTo(endpoint), operator: operatorOf(outputs, stackFile) };
  const report = new Report();
  const world = worldOf(reach, smokeShop);
  const run = { ...options, report, world, isStopped: stopSignal() };
  const partner = givenPartner();
  try {
    if (isOnAws(addresses)) await proveAll(run, [transportJourney(addresses)]);
    await (partner ? proveAsPartner(run, partner) : proveAsGuest(run));
  } catch (fault) {
    if (!(fault instanceof Halted)) throw fault;
  }
  return report.close();
};

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
