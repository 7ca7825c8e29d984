import { join } from 'node:path';
import { pythonEnvironment } from '../deploy/python.ts';
import type { Report } from '../deploy/report.ts';
import { inPlace } from './place.ts';

/** A tool whose requirements are in `<name>.txt`, and a Python `import` that shows that they are installed. */
type Tools = { name: string; modules: string };

/**
 * The programs of tools from the Python index, in an environment of their own: two tools want different versions of the same
 * packages.
 */
export const toolsFrom = async (
  report: Report,
  { name, modules }: Tools,
): Promise<(tool: string) => string> => {
  const folder = inPlace(name);
  await pythonEnvironment({
    ...{ folder, modules, requirementsFile: join(import.meta.dirname, `${name}.txt`) },
    announce: (text) => report.announce(text),
  });
  return (tool) => join(folder, 'bin', tool);
};
