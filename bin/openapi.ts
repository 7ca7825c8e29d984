import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';

import { lastRelease, readChangelog, undeclared, whyNotReleased } from './openapi/changes/changelog.ts';

import { collectionOf } from './openapi/collection.ts';

import { openApiDocument } from './openapi/document.ts';
import { formatted } from './openapi/format.ts';
import { wireTypes } from './openapi/wire.ts';

const root = join(import.meta.dirname, '..');

const { check, release, again } = new Command('npm run openapi --')
  .description(
    'Makes the OpenAPI document (docs/openapi.json) of the schemas that the service validates with, the schemas of webhook messages (functions/shared/schema/events), and of the document the wire types of the partner kit (partner-kit/src/wire.ts) and a collection of requests to import (docs/collection.json).',
  )
  .option(
    '--check',
    'write nothing; end with 1 if a kept file is not what the code makes, or if something breaks for callers of the last released document and docs/api-changelog.json does not declare it',
  )
  .option('--release <date>', 'keep the document as the one that was released on this day: 2026-11-22')
  .option(
    '--again',
    'with --release: put it in the place of what was kept for that day, which nobody has read',
  )
  .addHelpText(
    'after',
    '\nbin/openapi/README.md says how a path is added.\n\nExample:\n  npm run openapi -- --check',
  )
  .parse()
  .opts<{ check?: true; release?: string; again?: true }>();

const messageSchemas: Record<string, object> = JSON.parse(
  execFileSync(process.execPath, [join(import.meta.dirname, 'openapi/message-schemas.ts')], {
    encoding: 'utf8',
  }),
);

const document = openApiDocument();
const text = JSON.stringify(document, null, 2);
const files = {
  'docs/openapi.json': text,
  'partner-kit/src/wire.ts': await wireTypes(document),
  ...(release !== undefined && { [`docs/releases/openapi-${release}.json`]: text }),
  'docs/collection.json': await collectionOf(document),
  ...Object.fromEntries(
    Object.entries(messageSchemas).map(([file, schema]) => [
      `functions/shared/schema/events/${file}`,
      JSON.stringify(schema, null, 2),
    ]),
  ),
};

const complain = (line: string) => {
  console.error(line);
  process.exitCode = 1;
};

const released = `docs/releases/openapi-${release}.json`;
const keptRelease = existsSync(join(root, released)) ? readFileSync(join(root, released), 'utf8') : undefined;
const whyNot = whyNotReleased(keptRelease, formatted(released, text));
if (release !== undefined && !again && whyNot !== undefined) {
  console.error(`${released} ${whyNot}`);
  process.exit(1);
}

for (const [file, unformatted] of Object.entries(files)) {
  const made = formatted(file, unformatted);
  if (!check) writeFileSync(join(root, file), made);
  else if (readFileSync(join(root, file), 'utf8') !== made)
    complain(`${file} is not what the code makes: npm run openapi`);
}
if (check) {
  for (const line of undeclared(lastRelease(), document, readChangelog()))
    complain(`breaks callers, and docs/api-changelog.json does not declare it: ${line}`);
}
