import { expect, test } from '@jest/globals';
import { places, read } from './documents.ts';

/** Files that list packages for pip. */
const lists = places
  .filter((file) => /^(localstack|test)\/.*\.txt$/.test(file))
  .filter((file) => /^[\w.-]+==/m.test(read(file)))
  .sort();

const packageWithHashes = /^[a-z0-9.-]+==[\w.]+( \\\n {4}--hash=sha256:[0-9a-f]{64})+$/;

test('S-84 every package of Python is pinned by version and hash, and no list names an index', () => {
  expect(lists).toEqual([
    'localstack/community/build-requirements.txt',
    'localstack/community/requirements.txt',
    'test/checks/cfn-lint.txt',
    'test/checks/workflows.txt',
    'test/clients/requirements.txt',
    'test/generators/requirements.txt',
    'test/schemathesis/requirements.txt',
  ]);
  for (const list of lists) {
    const packages = read(list)
      .trimEnd()
      .split(/\n(?! )/);
    expect(packages.filter((one) => !packageWithHashes.test(one))).toEqual([]);
  }
});

test('S-84 pip takes nothing without such a hash, to build with neither', () => {
  const files = places.filter((file) => /\.(ts|sh|yml)$/.test(file) && !file.endsWith('.test.ts')).sort();
  const installs = files.flatMap((file) =>
    [...read(file).matchAll(/^.*\bpip(?:_install |', 'install'| install )(.*)$/gm)].map(([, words]) => [
      file,
      words,
    ]),
  );

  expect(installs).toEqual([
    ['localstack/community/start.sh', '--quiet --no-input --no-compile --no-deps "$@"; }'],
    [
      'localstack/community/start.sh',
      '--require-hashes --only-binary :all: -r "$here/build-requirements.txt"',
    ],
    [
      'localstack/community/start.sh',
      '--require-hashes --no-build-isolation --use-pep517 -r "$here/requirements.txt"',
    ],
    // The plugin in that folder.
    ['localstack/community/start.sh', '--no-build-isolation "$here"'],
    ['test/deploy/python.ts', ", '--no-input', ...onlyHashed, '-r', requirementsFile];"],
  ]);
  expect(read('test/deploy/python.ts')).toContain(
    "const onlyHashed = ['--require-hashes', '--only-binary', ':all:'];\n",
  );
});
