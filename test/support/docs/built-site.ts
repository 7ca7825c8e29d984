import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { builtDocs } from '../../../lib/built-docs.ts';

/** Everything of the built site by the path that answers it, as it was before a stage put its addresses in. */
export const builtSite = (): Map<string, string> => siteIn(builtDocs());

export const siteIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [
        `/${relative(folder, file).replace(/\.(html|linkset)$/, '')}`,
        readFileSync(file, 'utf8'),
      ]),
  );

/** The pages for people, including the one for unknown addresses. */
export const pagesOf = (site: ReadonlyMap<string, string>): [path: string, html: string][] =>
  [...site].filter(([, text]) => /^<!doctype html>/i.test(text));
