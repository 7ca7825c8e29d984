import { gzipSync } from 'node:zlib';
import { basePathMark } from '../../../functions/serve-docs/document.ts';
import { builtSite, pagesOf } from '../docs/built-site.ts';

/** What a browser fetches for a page: bytes as they are, zipped as the gateway sends them, and how many are script. */
export type Weight = { page: string; bytes: number; zipped: number; script: number };

/** Of every page that partners read, with its styles and scripts. */
export const weights = (): Weight[] => {
  const site = builtSite();
  return pagesOf(site)
    .map(([page, html]) => {
      const scripts = withImports(fetchedBy(html, /<script[^>]* src="([^"]+)"/g), site);
      const styles = fetchedBy(html, /<link rel="stylesheet" href="([^"]+)"/g);
      const texts = [...scripts, ...styles].map((path) => site.get(path) ?? '');
      const script = sum([...scripts].map((path) => Buffer.byteLength(site.get(path) ?? '')));
      return { page, ...sizes([html, ...texts]), script };
    })
    .toSorted((one, other) => one.page.localeCompare(other.page));
};

const fetchedBy = (text: string, what: RegExp): Set<string> =>
  new Set([...text.matchAll(what)].map(([, address = '']) => address.replace(basePathMark, '')));

/** Scripts with those that they import, which stand beside them. */
const withImports = (scripts: Set<string>, site: ReadonlyMap<string, string>): Set<string> => {
  for (const path of scripts)
    for (const [, name] of (site.get(path) ?? '').matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+)["']/g))
      scripts.add(`/docs/_astro/${name}`);
  return scripts;
};

const sizes = (texts: readonly string[]) => ({
  bytes: sum(texts.map((text) => Buffer.byteLength(text))),
  zipped: sum(texts.map((text) => gzipSync(text).length)),
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** The pages of the table. The heaviest operation stands for all. */
export const shownWeights = (all: readonly Weight[]): Weight[] => {
  const operations = all.filter(({ page }) => page.startsWith('/docs/reference/'));
  const heaviest = operations.toSorted((one, other) => other.zipped - one.zipped)[0];
  return all.filter((one) => !operations.includes(one) || one === heaviest);
};
