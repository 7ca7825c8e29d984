import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The hash of each file of an assembly that reaches AWS: templates, their assets, and the assets' destinations. */
const hashesOf = (assembly: string): Map<string, string> =>
  new Map(
    readdirSync(assembly, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^asset\.|\.(template|assets)\.json$/.test(file))
      .filter((file) => statSync(join(assembly, file)).isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(assembly, file)))
          .digest('hex'),
      ]),
  );

/** Files that differ, or that only one of them has. */
export const differingFiles = (one: string, other: string): string[] => {
  const [first, second] = [hashesOf(one), hashesOf(other)];
  const all = new Set([...first.keys(), ...second.keys()]);
  return [...all].filter((file) => first.get(file) !== second.get(file)).sort();
};
