import { expect, test } from '@jest/globals';
import { places, read } from './documents.ts';

const runOnGitHub = places
  .filter((file) => /^\.github\/workflows\/.*\.yml$/.test(file) || file === '.ci/run')
  .sort();

/** How a file installs packages: every `npm` or `npx` that would, with its options. */
const installsOf = (file: string) =>
  [...read(file).matchAll(/(?<=^|run: |[;&|] *)npm (?:ci|clean-install|install|i)\b[^\n|;&]*/gm)].map(
    ([command]) => command.trim(),
  );

test('S-71 no job runs what a package would run when it is installed: jobs have tokens by which AWS gives a role', () => {
  expect(runOnGitHub.map((file) => [file, installsOf(file)])).toEqual([
    ['.ci/run', ['npm ci --ignore-scripts']],
    ['.github/workflows/ci.yml', []],
    ['.github/workflows/deploy.yml', Array(3).fill('npm ci --ignore-scripts')],
  ]);
});

test('KIT-17 S-65 each check of what is delivered is a step of CI and of a deployment, and stands where they are told', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
  const places = ['.ci/run', '.github/workflows/deploy.yml', 'docs/pipeline.md', 'test/README.md'];

  expect(checks.length).toBeGreaterThan(3);
  for (const check of checks)
    expect([check, places.filter((file) => !read(file).includes(check))]).toEqual([check, []]);
});
