import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { run } from '../deploy/processes.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { root } from '../support/repository.ts';
import { inPlace, makePlace, project, toolsFrom } from './place.ts';

/** `npm run check -- templates`: two syntheses, and what a tool of other hands says of the templates of all stages (S-65). */
new Command('npm run check -- templates')
  .description(
    'Synthesises all stages twice, in two places, and compares them; then has cfn-lint read the templates. Needs no account. Red on any difference or finding.',
  )
  .addHelpText('after', '\nThe tool is installed once from the Python index, under .local/checks.')
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

/** Tools make these, or keep them for this checkout alone. */
const notCopied = ['node_modules', '.git', '.local', 'cdk.out', '.cdk.staging', 'coverage', '.DS_Store'];

/** The project in another folder, where the same packages are found. */
const copyProject = (): string => {
  const copy = join(root, '.local', 'templates-elsewhere');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const place of readdirSync(root).filter((found) => !notCopied.includes(found)))
    cpSync(join(root, place), join(copy, place), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** The hash of each file of an assembly that reaches AWS: templates, their assets, and the assets' destinations. */
const hashesOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^asset\.|\.(template|assets)\.json$/.test(file))
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
      ]),
  );

/** Another folder, home, language and time zone, and an account in the shell: none of it may be in a template. */
const assertSame = async () => {
  const copy = copyProject();
  const again = inPlace('templates-again');
  await synthesise(copy, again, {
    ...{ CDK_OUTDIR: again, HOME: tmpdir(), LANG: 'C', TZ: 'Asia/Tokyo', USER: 'somebody' },
    ...{ AWS_REGION: 'us-east-1', CDK_DEFAULT_REGION: 'us-east-1', CDK_DEFAULT_ACCOUNT: '111122223333' },
  });
  rmSync(copy, { recursive: true });
  const [first, second] = [hashesOf(assembly), hashesOf(again)];
  const all = [...new Set([...first.keys(), ...second.keys()])];
  const differing = all.filter((file) => first.get(file) !== second.get(file));
  if (differing.length > 0)
    throw new Error(`Two syntheses of one tree differ in ${differing.sort().join(', ')}`);
};

const templates = () =>
  readdirSync(assembly)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => join(assembly, name));

/** All findings count, warnings too. W3005 is left out: the CDK repeats as DependsOn what a reference orders anyway. */
const assertValid = async () =>
  run({
    command: (await toolsFrom('cfn-lint', 'cfnlint'))('cfn-lint'),
    args: ['--regions', 'eu-west-2', '--ignore-checks', 'W3005', '--', ...templates()],
    ...{ ...project, logFile: inPlace('cfn-lint.findings.log'), timeoutSeconds: 300 },
  });

await runProofs(async (report) => {
  makePlace();
  await report.need('D-01 the templates of all stages are made, outside of cdk.out', async () => {
    await synthesise(root, assembly, { HOME: process.env.HOME });
    if (templates().length !== 7) throw new Error(`There are ${templates().length} templates, not 7.`);
  });
  await report.prove(
    'D-14 a tree that did not change has templates and bundles that did not change',
    assertSame,
  );
  await report.prove('S-65 cfn-lint finds nothing in the templates of any stage', assertValid);
});
