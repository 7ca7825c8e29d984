import { Command } from 'commander';
import { configOf } from '../lib/config.ts';
import { openAccount } from './preflight/account.ts';
import { judgeNode } from './preflight/judge.ts';
import { inspectAccount } from './preflight/looks.ts';
import { reportText } from './preflight/report.ts';

type Options = { stage: string; json?: true };

/** `npm run preflight -- --stage production`: reports what an account lacks for a deployment. It changes nothing. */
const main = async (): Promise<void> => {
  const { stage, json } = readOptions();
  const config = configOf(stage);
  if (config.name === 'local') throw new Error('The local stage needs no account: npm start.');
  const account = openAccount(config.region);
  const id = await account.id();
  const findings = [judgeNode(process.execPath), ...(await inspectAccount(config, account, id))];
  if (json) console.log(JSON.stringify({ stage, account: id, region: config.region, findings }, null, 2));
  else console.log(`Stage ${stage} in account ${id}, ${config.region}\n\n${reportText(findings)}`);
  if (findings.some(({ state }) => state !== 'good')) process.exitCode = 1;
};

const readOptions = (): Options =>
  new Command('npm run preflight --')
    .description('Check what the AWS account of the credentials lacks for a stage. Changes nothing.')
    .requiredOption('--stage <name>', 'staging or production')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Checks the Node that runs it, the account, quotas, the certificate, DNS, service-linked roles, the CDK bootstrap, stacks whose
creation failed, and alarms that would roll a gradual deployment back. It runs the AWS CLI ("aws", version 2).
Ends with 1 while something is open or could not be read.

Example:
  npm run preflight -- --stage production`,
    )
    .parse()
    .opts<Options>();

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
