import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { docsFolder } from '../lib/built-docs.ts';
import { buildDocs } from './docs/build.ts';
import { makeSite } from './docs/site-folder.ts';

const program = new Command('npm run docs --')
  .description(
    'Builds the site for partners from docs/guide, docs/site and docs/openapi.json: under .local/docs-site, unless it is there.',
  )
  .argument('[folder]', 'where to build it instead; it must not exist')
  .parse();

const cached = docsFolder();
const [asked] = program.args;
const folder = asked === undefined ? cached : resolve(asked);
if (asked !== undefined && existsSync(folder)) program.error(`${folder} exists: name a new folder.`);

process.env.ASTRO_TELEMETRY_DISABLED = '1';
const started = performance.now();
await makeSite({
  ...{ folder, cache: dirname(cached) },
  build: (work, site) => buildDocs(join(import.meta.dirname, '..'), work, site),
  say: console.log,
});
console.log(`${folder}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
