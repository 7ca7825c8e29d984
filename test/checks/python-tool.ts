import { join } from 'node:path';
import { pythonEnvironment } from '../deploy/python.ts';
import { inPlace } from './place.ts';

/**
 * The programs of tools from the Python index whose requirements stand in `<name>.txt`, in an environment of their own: two
 * tools want different versions of the same packages. `modules` shows that they are there, as it stands behind `import`.
 */
export const toolsFrom = async (name: string, modules: string): Promise<(tool: string) => string> => {
  const folder = inPlace(name);
  await pythonEnvironment({ folder, modules, requirementsFile: join(import.meta.dirname, `${name}.txt`) });
  return (tool) => join(folder, 'bin', tool);
};
