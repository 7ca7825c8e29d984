import { expect, test } from '@jest/globals';
import { changeChecks, checks } from '../../steps/checks.ts';
import { places, read } from './documents.ts';

const runOnGitHub = places
  .filter((file) => /^\.github\/workflows\/.*\.yml$/.test(file) || file === '.ci/run')
  .sort();

/** How a file installs packages: every `npm` or `npx` that would, with its options. */
const installsOf = (file: string) =>
  [...read(file).matchAll(/(?<=^|run: |[;&|] *)npm (?:ci|clean-install|install|i)\b[^\n|;&]*/gm)].map(
    ([command]) => command.trim(),
  );

test('S-71 no job runs install scripts of packages, because jobs have tokens for AWS roles', () => {
  expect(runOnGitHub.map((file) => [file, installsOf(file)])).toEqual([
    ['.ci/run', ['npm ci --ignore-scripts']],
    ['.github/workflows/ci.yml', []],
    [
      '.github/workflows/deploy.yml',
      ['npm ci --ignore-scripts', ...Array(2).fill('npm ci --ignore-scripts --no-bin-links')],
    ],
    ['.github/workflows/nightly.yml', ['npm ci --ignore-scripts']],
  ]);
});

/** What each job of all workflows does, by its name, in order: actions without their commits, and commands. */
const stepsOfJobs = new Map(
  runOnGitHub.flatMap((file) =>
    read(file)
      .split(/^ {2}(?=[\w-]+:$)/m)
      .map((job): [string, string[]] => [
        job.split(':')[0] ?? '',
        [...job.matchAll(/^ {6}(?:- | {2})(?:uses: ([^@\n]+)|run: (.+))/gm)].map(
          ([, action, command]) => action ?? command ?? '',
        ),
      ]),
  ),
);

test('S-84 before a job gets rights in AWS it has the Node of setup-node, and none of a package before it', () => {
  const credentials = 'aws-actions/configure-aws-credentials';
  const withRights = [...stepsOfJobs].filter(([, steps]) => steps.includes(credentials));

  expect(withRights.map(([job, steps]) => [job, steps.slice(0, steps.indexOf(credentials))])).toEqual(
    ['staging', 'production'].map((job) => [
      job,
      [
        'actions/checkout',
        'actions/setup-node',
        'npm ci --ignore-scripts --no-bin-links',
        `test "$(npm exec -c 'node -p process.execPath')" = "$(node -p process.execPath)"`,
        `echo "region=$(node -p "require('./lib/config.ts').configOf('${job}').region")" >> "$GITHUB_OUTPUT"`,
      ],
    ]),
  );
});

test('KIT-17 S-65 all checks are steps of a deployment, the one of templates also of the night, the others of CI', () => {
  expect(read('.github/workflows/deploy.yml')).toContain('- run: npm run check\n');
  expect(read('.ci/run')).toContain('exec node --no-warnings test/steps/ci.ts\n');
  expect(read('test/steps/ci.ts')).toContain('    ...changeChecks,\n');
  expect(read('test/steps/nightly.ts')).toContain('    templates: checks.templates,\n');
  expect(Object.keys(checks)).toEqual([...Object.keys(changeChecks), 'templates']);
});
