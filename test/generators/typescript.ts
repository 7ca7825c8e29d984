import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratedClient } from './generator.ts';
import { inPlace, runTool } from './packages.ts';

const folder = inPlace('typescript');
const programs = join(import.meta.dirname, 'programs');

/** Both clients are compiled by one strict TypeScript 5. */
const compile = () => runTool('tsc', ['-p', folder]);

const startOver = () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
};

const copy = (...names: string[]) => {
  for (const name of [...names, 'tsconfig.json']) cpSync(join(programs, name), join(folder, name));
};

/** openapi-typescript with openapi-fetch, and @hey-api/openapi-ts. */
export const typescriptClients: readonly GeneratedClient[] = [
  {
    name: 'openapi-fetch',
    make: async () => {
      startOver();
      copy('with-openapi-fetch.ts');
      await runTool('openapi-typescript', [inPlace('openapi.json'), '-o', join(folder, 'schema.d.ts')]);
      await compile();
    },
    run: (given) => runTool('node', [join(folder, 'made/with-openapi-fetch.js')], given),
  },
  {
    name: '@hey-api/openapi-ts',
    make: async () => {
      startOver();
      copy('with-hey-api.ts');
      await runTool('openapi-ts', ['-i', inPlace('openapi.json'), '-o', join(folder, 'hey')]);
      await compile();
    },
    run: (given) => runTool('node', [join(folder, 'made/with-hey-api.js')], given),
  },
];
