import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorkspace } from './places.ts';

export type Template = { Outputs?: Record<string, { Value: unknown }> };

/** A copy of a cloud assembly, as a later release would be synthesised. */
export const nextRelease = (assembly: string, name: string): string => {
  const next = inWorkspace(`cdk.out.${name}`);
  cpSync(assembly, next, { recursive: true });
  return next;
};

/** Changes the template of the `data` or the `service` stack. */
export const changeTemplate = (
  assembly: string,
  stack: 'data' | 'service',
  change: (template: Template) => Template,
): void => {
  const name = readdirSync(assembly).find((file) => file.endsWith(`-${stack}.template.json`));
  const file = join(assembly, name ?? '');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
  nameTemplates(assembly);
};

/** Templates are assets too: one that is published under a name already is not published again. */
const nameTemplates = (assembly: string) => {
  for (const name of readdirSync(assembly).filter((one) => one.endsWith('.assets.json'))) {
    const { files } = JSON.parse(readFileSync(join(assembly, name), 'utf8')) as {
      files: Record<string, { source: { path: string } }>;
    };
    for (const [former, { source }] of Object.entries(files)) {
      if (source.path.endsWith('.template.json'))
        replaceInDocuments(assembly, former, hashOf(readFileSync(join(assembly, source.path), 'utf8')));
    }
  }
};

const replaceInDocuments = (assembly: string, former: string, next: string) => {
  for (const name of readdirSync(assembly).filter((one) => one.endsWith('.json'))) {
    const file = join(assembly, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(former, next));
  }
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
