import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { run } from '../deploy/processes.ts';
import { Halted, Report } from '../deploy/report.ts';
import { root } from '../support/repository.ts';
import { accepted } from './accepted.ts';
import { findingsIn, judge } from './findings.ts';
import { inPlace, makePlace, project } from './place.ts';
import { toolsFrom } from './python-tool.ts';
import { differingFiles } from './reproducible.ts';
import { copyTree, removeTree } from './tree.ts';

/** `npm run check -- templates`: what tools of other hands say of the templates of all stages (S-65). */
new Command('npm run check -- templates')
  .description(
    'Synthesises all stages twice, in two places, and compares them; then has cfn-lint and checkov read the templates. Needs no account. Red on any finding of cfn-lint, and on one of checkov that test/checks/accepted.ts does not name, or names although it is gone.',
  )
  .addHelpText('after', '\nThe tools are installed once from the Python index, under .local/checks.')
  .parse();

/** Where `npm run synth` writes, and where no `cdk deploy` looks (D-01). */
const assembly = join(root, '.local', 'templates');

const synthesise = (tree: string, folder: string, env: NodeJS.ProcessEnv) => {
  rmSync(folder, { recursive: true, force: true });
  return run({
    command: 'node',
    args: [join(tree, 'bin/synth.ts')],
    env: { PATH: project.env.PATH, ...env },
    ...{ logFile: inPlace('synthesis.log'), timeoutSeconds: 300 },
  });
};

/** Another folder, home, language and time zone, and an account in the shell: none of it may be in a template. */
const assertSame = async () => {
  const copy = copyTree('templates-elsewhere');
  const again = inPlace('templates-again');
  await synthesise(copy, again, {
    ...{ CDK_OUTDIR: again, HOME: tmpdir(), LANG: 'C', TZ: 'Asia/Tokyo', USER: 'somebody' },
    ...{ AWS_REGION: 'us-east-1', CDK_DEFAULT_REGION: 'us-east-1', CDK_DEFAULT_ACCOUNT: '111122223333' },
  });
  removeTree(copy);
  const differing = differingFiles(assembly, again);
  if (differing.length > 0) throw new Error(`Two syntheses of one tree differ in ${differing.join(', ')}`);
};

const report = new Report();

const templates = () =>
  readdirSync(assembly)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => join(assembly, name));

/** All findings count, warnings too. W3005 is left out: the CDK repeats as DependsOn what a reference orders anyway. */
const assertValid = (cfnLint: string) =>
  run({
    command: cfnLint,
    args: ['--regions', 'eu-west-2', '--ignore-checks', 'W3005', '--', ...templates()],
    ...{ ...project, logFile: inPlace('cfn-lint.findings.log'), timeoutSeconds: 300 },
  });

/** Reads local files only, and exits with 0 for any findings, which are judged one by one. */
const assertAccepted = async (checkov: string) => {
  const printed = await run({
    command: checkov,
    args: [
      ...['--directory', assembly, '--framework', 'cloudformation'],
      ...['--output', 'json', '--compact', '--quiet', '--skip-download', '--soft-fail'],
    ],
    ...{ ...project, logFile: inPlace('checkov.findings.log'), timeoutSeconds: 300 },
  });
  const { unaccepted, stale } = judge(findingsIn(printed, assembly), accepted);
  const lines = [
    ...unaccepted.map((name) => `found, and not accepted: ${name}`),
    ...stale.map((name) => `accepted, and found no more: ${name}`),
  ];
  if (lines.length > 0) throw new Error(lines.join('\n'));
};

const proveTemplates = async () => {
  makePlace();
  await report.need('D-01 the templates of all stages are made, outside of cdk.out', async () => {
    await synthesise(root, assembly, { HOME: process.env.HOME });
    if (templates().length !== 7) throw new Error(`There are ${templates().length} templates, not 7.`);
  });
  await report.prove(
    'D-14 a tree that did not change has templates and bundles that did not change',
    assertSame,
  );
  await report.prove('S-65 cfn-lint finds nothing in the templates of any stage', async () =>
    assertValid((await toolsFrom('cfn-lint', 'cfnlint'))('cfn-lint')),
  );
  await report.prove('S-65 checkov finds nothing but what is accepted, and all of that', async () =>
    assertAccepted((await toolsFrom('checkov', 'checkov'))('checkov')),
  );
};

await proveTemplates().catch((fault: unknown) => {
  if (!(fault instanceof Halted)) throw fault;
});
if (!report.close()) process.exitCode = 1;
