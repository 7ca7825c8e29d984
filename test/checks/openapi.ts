import { join } from 'node:path';
import { Command } from 'commander';
import { run } from '../deploy/processes.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { root } from '../support/repository.ts';
import { inPlace, makePlace, project } from './place.ts';

/** `npm run check -- openapi`: what a tool of other hands says of the OpenAPI document (OA-5). */
new Command('npm run check -- openapi')
  .description(
    'Holds docs/openapi.json against the code and the last released document, and has Redocly judge it. Red on any finding, warnings too.',
  )
  .addHelpText('after', '\nWhat is switched off stands in test/checks/redocly.yaml, each with its reason.')
  .parse();

/** Neither tool may ask anybody anything, nor tell. */
const quiet = {
  ...project.env,
  ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_UPDATE_NOTIFIER: '1' },
};

const findsNothing = (tool: string, args: string[]) =>
  run({ command: tool, args, env: quiet, logFile: inPlace(`${tool}.log`), timeoutSeconds: 300 });

await runProofs(async (report) => {
  makePlace();
  await report.prove('OA-1 OA-4 the kept files are what the code makes, and break no caller undeclared', () =>
    findsNothing('node', [join(root, 'bin/openapi.ts'), '--check']),
  );
  const rules = join(import.meta.dirname, 'redocly.yaml');
  await report.prove('OA-5 Redocly finds nothing in the document', () =>
    findsNothing('redocly', ['lint', join(root, 'docs/openapi.json'), '--config', rules]),
  );
});
