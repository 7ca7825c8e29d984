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
  const account = openAccount({ region: config.region });
  const id = await account.id();
  const findings = [judgeNode(process.execPath), ...(await inspectAccount(config, account))];
  if (json) console.log(JSON.stringify({ stage, account: id, region: config.region, findings }, null, 2));
  else console.log(`Stage ${stage} in account ${id}, ${config.region}\n\n${reportText(findings)}`);
  if (findings.some(({ state }) => state !== 'good')) process.exitCode = 1;
};

const readOptions = (): Options =>
  new Command('npm run preflight --')
    .description(
      'Looks at the AWS account of the credentials, and says what a stage still needs of it. Changes nothing.',
    )
    .requiredOption('--stage <name>', 'staging or production')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nLooks at the Node that runs it, whose account it is, quotas, the certificate, DNS, service-linked roles, the CDK bootstrap, stacks that\nfailed, and by the AWS CLI at alarms that would take a gradual deployment back.\nEnds with 1 when something is to be settled first, or could not be seen.\n\nExample:\n  npm run preflight -- --stage production',
    )
    .parse()
    .opts<Options>();

try {
  await main();
} catch (error) {
  const { name, message } = error as Error;
  console.error(
    name === 'CredentialsProviderError'
      ? 'No AWS credentials were found: sign in, or name a profile with AWS_PROFILE.'
      : message,
  );
  process.exitCode = 1;
}
