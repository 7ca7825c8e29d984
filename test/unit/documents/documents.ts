import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/repository.ts';

/** Made here by tools, not part of the repository. */
const made = /^(node_modules|\.git|\.local|cdk\.out|\.cdk\.staging|coverage)(\/|$)/;

/** Every file and folder of the repository, from its root. */
export const places = globSync('**/*', {
  cwd: root,
  exclude: (name) => made.test(name),
}).concat(globSync('.{ci,github}/**/*', { cwd: root }));

export const documents = places.filter((place) => place.endsWith('.md'));

export const read = (file: string) => readFileSync(join(root, file), 'utf8');

const fence = /^ *```.*\n[\s\S]*?^ *```$/gm;

/** The words of a document's code spans; blocks of code are left out, they show examples. */
export const spansOf = (document: string) =>
  [...document.replaceAll(fence, '').matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => span.split(/\s+/));

export const linksOf = (document: string) =>
  [...document.replaceAll(fence, '').matchAll(/\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm)].map(
    ([, inline, named]) => inline ?? named ?? '',
  );

/** The names under which headings can be linked to, as GitHub makes them. */
export const anchorsOf = (document: string) =>
  [...document.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

export const scriptsOf = (document: string) =>
  [...document.matchAll(/\bnpm run (?:--?[\w-]+ )*([\w:-]+)/g)].map(([, name = '']) => name);
