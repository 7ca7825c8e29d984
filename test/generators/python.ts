import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment } from '../deploy/python.ts';
import type { GeneratedClient } from './generator.ts';
import { inPlace, runTool } from './packages.ts';

const folder = inPlace('python-client');
const program = join(folder, 'client.py');
const tool = (name: string) => inPlace(`python/bin/${name}`);

const install = () =>
  pythonEnvironment({
    folder: inPlace('python'),
    requirementsFile: join(import.meta.dirname, 'requirements.txt'),
    modules: 'openapi_python_client, mypy',
  });

/** A warning says that something was left out. It is not formatted: ruff puts types in that mypy refuses. */
const generate = async () => {
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, '{ "post_hooks": [] }');
  const files = ['--path', inPlace('openapi.json'), '--output-path', join(folder, 'transactions')];
  const args = ['generate', ...files, '--config', settings, '--meta', 'none', '--fail-on-warning'];
  await runTool(tool('openapi-python-client'), args);
};

/** openapi-python-client, judged by mypy. */
export const pythonClient: GeneratedClient = {
  name: 'openapi-python-client',
  make: async () => {
    await install();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await generate();
    cpSync(join(import.meta.dirname, 'programs/client.py'), program);
    // The generated code is typed, but does not pass the strict rules; the program that uses it does.
    await runTool(tool('mypy'), [join(folder, 'transactions')]);
    await runTool(tool('mypy'), ['--strict', '--follow-imports=silent', program], { MYPYPATH: folder });
  },
  run: (given) => runTool(tool('python'), [program], given),
};
