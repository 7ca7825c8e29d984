import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { connect } from './operator/connect.ts';
import { runOperator } from './operator/program.ts';
import { processTerminal } from './operator/terminal.ts';
import { readAddresses } from './smoke/addresses.ts';
import { allChecks } from './smoke/checks/all.ts';
import { reachOver } from './smoke/reach.ts';
import { countText, exitCodeOf, resultText } from './smoke/report.ts';
import { runSmoke } from './smoke/run.ts';
import type { Credentials, Guest, Visit } from './smoke/visit.ts';

type Options = { outputs?: string; stack?: string; receiver?: string; burst?: number; json?: true };

const help = `
Makes a partner, and transactions in the group "smoke", which no shop has, and deletes both again; a storefront of that
group stays, retired, and the record of operators' changes names the run. No other transaction is read or changed.
With SMOKE_CLIENT_ID and SMOKE_CLIENT_SECRET of a partner it makes nothing at all, and only reads are looked at.

AWS credentials as the operator's tool takes them. AWS_ENDPOINT_URL names an emulator.
Ends with 0 when all is as it has to be, 1 when something is not, 2 when nothing could be looked at.

Examples:
  npm run smoke -- --outputs outputs.json
  npm run smoke -- --outputs outputs.json --receiver https://hooks.example/smoke
  npm run smoke -- --outputs staging.json --burst 400`;

const readOptions = (): Options =>
  new Command('npm run smoke --')
    .description('Looks at a deployed stage from outside: what only an account can show, each by its id.')
    .option(
      '--outputs <file>',
      'the file that "cdk deploy --outputs-file" wrote; without it, the local stage',
    )
    .option('--stack <file>', 'stack.json of a running local stage (default: .local/stack.json)')
    .option('--receiver <url>', 'a webhook is sent there; prints what to look at')
    .option('--burst <number>', 'so many requests at once, to meet the throttle; callers feel it', readCount)
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Options>();

const readCount = (text: string): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('It is a whole number from 1.');
};

/** `npm run smoke -- --outputs outputs.json`: what a template, an emulator and a rehearsal cannot show. */
const main = async (): Promise<void> => {
  const { outputs, stack, receiver, burst, json } = readOptions();
  const stackFile = stack ?? join(import.meta.dirname, '..', '.local', 'stack.json');
  const partner = givenPartner();
  const visit: Visit = {
    ...readAddresses({ outputs, stackFile }),
    ...reachOver(process.env.AWS_ENDPOINT_URL),
    ...(partner && { partner }),
    ...(receiver !== undefined && { receiver }),
    ...(burst !== undefined && { burst }),
    note: (text) => process.stderr.write(text),
  };
  const results = await runSmoke({
    visit,
    checks: allChecks,
    ...(!partner && {
      operator: operatorOf(outputs === undefined ? ['--stack', stackFile] : ['--outputs', outputs]),
    }),
    id: randomBytes(4).toString('hex'),
    tell: (result) => (json ? undefined : console.log(resultText(result))),
    isStopped: stopSignal(),
  });
  console.log(json ? JSON.stringify(results, null, 2) : countText(results));
  process.exitCode = exitCodeOf(results);
};

const givenPartner = (): Credentials | undefined => {
  const { SMOKE_CLIENT_ID: clientId, SMOKE_CLIENT_SECRET: clientSecret } = process.env;
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
};

/** The operator's tool in this process: what it prints is its JSON document. */
const operatorOf =
  (place: readonly string[]): Guest['operator'] =>
  async (...words) => {
    const printed: string[] = [];
    const quiet = { print: (text: string) => void printed.push(text), note: () => {}, isInteractive: false };
    await runOperator([...words, ...place, '--json'], {
      ...{ terminal: { ...processTerminal(), ...quiet }, user: userInfo().username, stackFile: '', connect },
    });
    const document = JSON.parse(printed.join(''));
    if (document.error === undefined) return document;
    throw new Error(`operator ${words.slice(0, 2).join(' ')}: ${document.error}`);
  };

/** Ctrl-C ends the looks; what was made is still taken away. A second one ends at once. */
const stopSignal = (): (() => boolean) => {
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
  });
  return () => isStopped;
};

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
