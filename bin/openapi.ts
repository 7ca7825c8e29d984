import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { lastRelease, readChangelog, undeclared } from './openapi/changes/changelog.ts';
import { openApiDocument } from './openapi/document.ts';
import { formatted } from './openapi/format.ts';
import { wireTypes } from './openapi/wire.ts';

const root = join(import.meta.dirname, '..');

const { check } = new Command('npm run openapi --')
  .description(
    'Makes the OpenAPI document (docs/openapi.json) from the schemas that the service validates with, the schemas of webhook messages (functions/shared/schema/events), and the wire types of the partner kit (partner-kit/src/wire.ts) from the document.',
  )
  .option(
    '--check',
    'write nothing; end with 1 if a kept file is not what the code makes, or if something breaks for callers of the last release (the newest tag v1.2.3) and docs/api-changelog.json does not declare it',
  )
  .addHelpText(
    'after',
    '\nbin/openapi/README.md says how a path is added.\n\nExample:\n  npm run openapi -- --check',
  )
  .parse()
  .opts<{ check?: true }>();

const messageSchemas: Record<string, object> = JSON.parse(
  execFileSync(process.execPath, [join(import.meta.dirname, 'openapi/message-schemas.ts')], {
    encoding: 'utf8',
  }),
);

const document = openApiDocument();
const files = {
  'docs/openapi.json': JSON.stringify(document, null, 2),
  'partner-kit/src/wire.ts': await wireTypes(document),
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

for (const [file, unformatted] of Object.entries(files)) {
  const made = formatted(file, unformatted);
  if (!check) writeFileSync(join(root, file), made);
  else if (readFileSync(join(root, file), 'utf8') !== made)
    complain(`${file} differs from the code: run npm run openapi`);
}
if (check) {
  for (const line of undeclared(lastRelease(), document, readChangelog()))
    complain(`breaks callers, and docs/api-changelog.json does not declare it: ${line}`);
}
