import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { path } from '../deploy/places.ts';
import { pythonEnvironment } from '../deploy/python.ts';
import { root } from '../support/repository.ts';

const place = join(root, '.local', 'checks');

/** A file of a check: logs, the bill of materials, templates. */
export const inPlace = (name: string): string => join(place, name);

/** Python's tools are kept there from run to run, so nothing is taken away. */
export const makePlace = (): void => {
  mkdirSync(place, { recursive: true });
};

/** The project's own tools come first. */
export const project = { env: { ...process.env, PATH: path } };

/**
 * The programs of tools from the Python index whose requirements stand in `<name>.txt`, in an environment of their own.
 * `modules` shows that they are there, as it stands behind `import`.
 */
export const toolsFrom = async (name: string, modules: string): Promise<(tool: string) => string> => {
  const folder = inPlace(name);
  await pythonEnvironment({ folder, modules, requirementsFile: join(import.meta.dirname, `${name}.txt`) });
  return (tool) => join(folder, 'bin', tool);
};
