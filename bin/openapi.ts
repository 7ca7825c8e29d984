import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { openApiDocument } from './openapi/document.ts';
import { formatted } from './openapi/format.ts';
import { wireTypes } from './openapi/wire.ts';

const root = join(import.meta.dirname, '..');

const { check } = new Command('npm run openapi --')
  .description(
    'Makes the OpenAPI document (docs/openapi.json) of the schemas that the service validates with, and of it the wire types of the partner kit (partner-kit/src/wire.ts).',
  )
  .option('--check', 'write nothing; end with 1 if a kept file is not what the code makes')
  .addHelpText(
    'after',
    '\nbin/openapi/README.md says how a path is added.\n\nExample:\n  npm run openapi -- --check',
  )
  .parse()
  .opts<{ check?: true }>();

const document = openApiDocument();
const files = {
  'docs/openapi.json': JSON.stringify(document, null, 2),
  'partner-kit/src/wire.ts': await wireTypes(document),
};

for (const [file, text] of Object.entries(files)) {
  const made = formatted(file, text);
  if (!check) writeFileSync(join(root, file), made);
  else if (readFileSync(join(root, file), 'utf8') !== made) {
    console.error(`${file} is not what the code makes: npm run openapi`);
    process.exitCode = 1;
  }
}
