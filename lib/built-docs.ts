import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Everything that the site for partners is made from. */
const sources = [
  ...['bin/docs.ts', 'bin/docs/*.ts', 'bin/openapi/collection/*.ts', 'functions/serve-docs/document.ts'],
  ...[
    'docs/site/**/*.*',
    'docs/guide/*.md',
    'docs/openapi.json',
    'docs/api-changelog.json',
    'package-lock.json',
  ],
];

/** The folder of the site that these sources make, built or not. */
export const docsFolder = (): string => {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root }).toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return join(root, '.local/docs-site', hash.digest('hex').slice(0, 16));
};

/** The folder of the built site. It takes some seconds to build, once for all processes of this checkout. */
export const builtDocs = (): string => {
  const folder = docsFolder();
  if (existsSync(folder)) return folder;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/docs.ts')], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`The documents could not be built; npm run docs shows the same:\n${stderr}`);
  return folder;
};
