import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { basePathMark } from '../../functions/serve-docs/document.ts';
import { collectionOf } from '../openapi/collection/collection.ts';
import { type Files, finished } from './after-build.ts';
import { type Change, changesGuide } from './changes.ts';
import { type Description, operationPages } from './description.ts';
import { firstPage, notFoundPage } from './first-page.ts';
import { apiCatalog, overviewForTools } from './for-tools.ts';
import { type Guide, pageOf, readGuide, twinOf } from './guides.ts';
import { groups } from './pages.ts';
import { searchIndex } from './search-index.ts';
import { sidebar } from './sidebar.ts';
import { trimmed } from './trimmed.ts';

/** Sources of the site in the repository. */
const readSources = (root: string) => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, 'docs', file), 'utf8'));
  const description: Description = read('openapi.json');
  const changes: Change[] = read('api-changelog.json');
  const pages = operationPages(description);
  const placeOf = (name: string) =>
    pages.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)?.place;
  const guides = groups
    .flatMap((group) => group.guides)
    .map((name): Guide => (name === 'changes' ? changesGuide(changes, placeOf) : readGuide(root, name)));
  return { description, changes, collection: collectionOf(read('openapi.json')), pages, guides };
};

/**
 * Builds the site for partners into a folder, with a file for each path that a stage serves. Astro writes into `work`.
 */
export const buildDocs = async (root: string, work: string, folder: string): Promise<void> => {
  const sources = readSources(root);
  const { description, pages, guides } = sources;
  const names = new Set(guides.map(({ name }) => name));
  const write = writerInto(work);
  cpSync(join(root, 'docs/site'), work, { recursive: true });
  for (const guide of guides) write(`src/content/docs/${guide.name}.md`, pageOf(guide, names));
  write('src/content/docs/index.mdx', firstPage(guides, pages));
  write('src/content/docs/404.md', notFoundPage);
  const menu = sidebar(guides, pages);
  write('sidebar.json', JSON.stringify(menu));
  write('openapi.json', JSON.stringify(trimmed(description, `${basePathMark}/docs/problems`)));
  const { build } = await import('astro');
  await build({ root: work, logLevel: 'warn' });
  const put = writerInto(folder);
  const site = finished(filesIn(join(work, 'dist')));
  for (const [path, text] of site) put(servedAs(path), text);
  const found = menu
    .flatMap(({ items }) => items)
    .map(({ link }) => ({
      address: `${basePathMark}/docs${link}`,
      html: site.get(`${link.slice(1)}/index.html`) ?? '',
    }));
  put('docs/search.json', JSON.stringify(searchIndex(found)));
  for (const [path, text] of forTools(sources, names)) put(path, text);
};

const writerInto = (folder: string) => (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const filesIn = (folder: string): Files =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );

/** `start/index.html` is served at `/docs/start`. The page for unknown addresses has no address of its own. */
const servedAs = (path: string): string =>
  path === '404.html' ? path : `docs/${path}`.replace(/\/index\.html$/, '.html');

type Sources = ReturnType<typeof readSources>;

/** The files for programs, which need no site: guides as Markdown, descriptions, `llms.txt`. */
export const filesForTools = (root: string): Files => {
  const sources = readSources(root);
  return forTools(sources, new Set(sources.guides.map(({ name }) => name)));
};

const forTools = (
  { description, changes, collection, guides }: Sources,
  names: ReadonlySet<string>,
): Files => {
  const { markdown: webhooks = '' } = guides.find(({ name }) => name === 'webhooks') ?? {};
  return new Map([
    ...guides.map((guide): [string, string] => [`docs/${guide.name}.md`, twinOf(guide, names)]),
    ['openapi.json', JSON.stringify(description)],
    ['docs/api-changelog.json', JSON.stringify(changes)],
    ['docs/collection.json', JSON.stringify(collection)],
    ['docs/receiver.mjs', receiverIn(webhooks)],
    ['llms.txt', overviewForTools(guides)],
    ['.well-known/api-catalog.linkset', apiCatalog()],
  ]);
};

/** The program in the webhook guide, for readers who download it. */
const receiverIn = (markdown: string) => /^```js\n([\s\S]+?)^```$/m.exec(markdown)?.[1] ?? '';
