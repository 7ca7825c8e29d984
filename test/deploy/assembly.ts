import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorkspace } from './places.ts';

type Resource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
  DependsOn?: string[];
};
export type Template = { Resources: Record<string, Resource>; Outputs?: Record<string, { Value: unknown }> };

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

/** Makes a function print a line whenever its code is loaded: its bundle, and so its hash, are others then. */
export const announceFrom = (assembly: string, functionName: string, line: string): void => {
  const former = assetOf(assembly, functionName);
  const bundle = join(assembly, `asset.${former}`, 'index.cjs');
  const code = `console.log(${JSON.stringify(line)});\n${readFileSync(bundle, 'utf8')}`;
  writeFileSync(bundle, code);
  const hash = hashOf(code);
  renameSync(join(assembly, `asset.${former}`), join(assembly, `asset.${hash}`));
  replaceInDocuments(assembly, former, hash);
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

/** The logical id of a function, which the template names in its description. */
const logicalIdOf = ({ Resources }: Template, functionName: string): string => {
  const [id] =
    Object.entries(Resources).find(
      ([, { Type, Properties }]) =>
        Type === 'AWS::Lambda::Function' && Properties?.Description === functionName,
    ) ?? [];
  if (id === undefined) throw new Error(`No template has the function ${functionName}`);
  return id;
};

const assetOf = (assembly: string, functionName: string): string => {
  let found = '';
  changeTemplate(assembly, 'service', (template) => {
    const { Metadata } = template.Resources[logicalIdOf(template, functionName)] ?? {};
    found = String(Metadata?.['aws:asset:path']).replace('asset.', '');
    return template;
  });
  return found;
};
