import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { UserError } from '../../bin/operator/user-error.ts';

/** Shortened times of events in seconds (RUN-3); absent ones are as on AWS. */
export type AskedTimes = { dormancySeconds?: number; tickSeconds?: number };

/** The sources of the templates and bundles. */
const sources = [
  ...['bin/app.ts', 'bin/docs', 'bin/openapi/collection', 'bin/operator', 'cdk.json', 'functions', 'lib'],
  ...['docs/guide', 'docs/site', 'docs/openapi.json', 'docs/api-changelog.json', 'package-lock.json'],
];

/** Whether a change of this file makes the templates outdated; `file` is its path in the repository. */
export const isSourceOfTemplates = (file: string): boolean =>
  sources.some((source) => file.startsWith(source));

export type AssemblyOptions = { root: string; cache: string; eventTimes: AskedTimes };

/**
 * Returns the folder of the local stage's synthesised templates and bundles, and makes it after a change of the sources. Its
 * name is a hash of them, so stages share it; it appears complete or not at all.
 */
export const prepareAssembly = async (
  { root, cache, eventTimes }: AssemblyOptions,
  say: (line: string) => void,
): Promise<string> => {
  const assembly = join(cache, [sourcesHash(root), ...Object.entries(eventTimes).flat()].join('-'));
  if (existsSync(assembly)) return assembly;
  say('Preparing templates and bundles from the sources (only after a change of them) …');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'new-'));
  await Promise.all([buildDocs(root), synthesize(root, folder, eventTimes)]);
  publish(folder, assembly);
  removeOld(cache);
  return assembly;
};

const sourcesHash = (root: string): string => {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(join(root, source))).toSorted()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
};

const filesOf = (path: string): string[] => {
  if (!existsSync(path)) return [];
  if (!/\.[a-z]+$/.test(path)) {
    return readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
  return [path];
};

/**
 * The documents take as long as the templates, so they are built beside them; the synthesis waits for them, and builds them
 * itself where this fails.
 */
const buildDocs = async (root: string) => {
  const child = spawn(process.execPath, [join(root, 'bin/docs.ts')], { cwd: root, stdio: 'ignore' });
  await once(child, 'close');
};

/** Synthesises in a child process, so that the memory of aws-cdk-lib is free again when the stage runs. */
const synthesize = async (root: string, folder: string, eventTimes: AskedTimes) => {
  const context = { stage: 'local', 'aws:cdk:enable-path-metadata': true, ...eventTimes };
  const child = spawn(process.execPath, [join(root, 'bin/app.ts')], {
    cwd: root,
    // `npm run synth` validates the templates; here that would take longer than all the rest.
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (part) => said.push(String(part)));
  const [code] = await once(child, 'close');
  if (code === 0) return;
  rmSync(folder, { recursive: true });
  throw new UserError(
    `The templates could not be made; npm run synth shows the same:\n${said.join('').trim()}`,
  );
};

/** Moves the folder to its name. Where another stage has made the same one meanwhile, that one stays. */
const publish = (folder: string, assembly: string) => {
  try {
    renameSync(folder, assembly);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(assembly)) throw error;
  }
};

/** Running stages may still use former ones. */
const generationsKept = 10;

const removeOld = (cache: string) => {
  const newestFirst = readdirSync(cache)
    .map((name) => join(cache, name))
    .map((folder) => ({ folder, madeAt: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.madeAt - one.madeAt);
  for (const { folder } of newestFirst.slice(generationsKept))
    rmSync(folder, { recursive: true, force: true });
};
