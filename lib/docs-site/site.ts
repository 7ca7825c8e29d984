import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site, SiteDocument } from '../../functions/serve-docs/document.ts';
import { apiCatalog, overviewForTools } from './for-tools.ts';
import { framed, hrefOf, type Page, type PageLink } from './layout.ts';
import { escaped, guideOf, htmlOf } from './markdown.ts';
import type { OpenApi } from './open-api.ts';
import { referencePage } from './reference.ts';

/** The guides in the order in which they are read, by the files that they are. */
const guideFiles = {
  start: 'docs/guide/start.md',
  paging: 'docs/guide/paging.md',
  filters: 'docs/guide/filters.md',
  'expand-and-fields': 'docs/guide/expand-and-fields.md',
  problems: 'docs/guide/problems.md',
  webhooks: 'docs/webhooks.md',
  limits: 'docs/guide/limits.md',
  versioning: 'docs/guide/versioning.md',
} as const;

/** Everything that `serve-docs` answers, by its path: the same bytes from the same sources. */
export const buildSite = (root: string): Site => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const guides = Object.entries(guideFiles).map(([name, file]) => guideOf(name, read(file)));
  const css = read('lib/docs-site/style.css');
  const style = `style.${hashOf(css)}.css`;
  const names = new Set(guides.map(({ name }) => name));
  const api: OpenApi = JSON.parse(read('docs/openapi.json'));
  const reference = referencePage(api, names);
  const [start, ...others] = guides.map((guide): Page => ({ ...guide, html: htmlOf(guide.markdown, names) }));
  const inner = [...(start ? [start] : []), reference, ...others];
  const pages = [firstPage(inner), ...inner];
  const links: PageLink[] = pages;
  return {
    ...Object.fromEntries(pages.map((page) => [pathOf(page.name), html(framed(page, { links, style }))])),
    ...Object.fromEntries(
      guides.map(({ name, markdown }) => [`/docs/${name}.md`, text(besideEachOther(markdown))]),
    ),
    [`/docs/${style}`]: { type: 'text/css; charset=UTF-8', text: css, isHashed: true },
    '/docs/icon.svg': { type: 'image/svg+xml', text: read('lib/docs-site/icon.svg') },
    '/openapi.json': { type: 'application/json; charset=UTF-8', text: JSON.stringify(api) },
    '/docs/receiver.mjs': {
      type: 'text/javascript; charset=UTF-8',
      text: receiverIn(read('docs/webhooks.md')),
    },
    '/llms.txt': { type: 'text/plain; charset=UTF-8', text: overviewForTools(guides) },
    '/.well-known/api-catalog': apiCatalog(),
  };
};

/** Links as they are where all guides stand in one folder; the repository's other files are not there. */
const besideEachOther = (markdown: string) =>
  markdown.replaceAll('../webhooks.md', 'webhooks.md').replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1');

/** The only program in the guide of webhooks, for whoever would rather fetch it than copy it. */
const receiverIn = (markdown: string) => /^```js\n([\s\S]+?)^```$/m.exec(markdown)?.[1] ?? '';

const pathOf = (name: string) => (name === '' ? '/docs' : `/docs/${name}`);
const html = (whole: string): SiteDocument => ({ type: 'text/html; charset=UTF-8', text: whole });
const text = (whole: string): SiteDocument => ({ type: 'text/markdown; charset=UTF-8', text: whole });
const hashOf = (whole: string) => createHash('sha256').update(whole).digest('hex').slice(0, 12);

const firstPage = (pages: readonly Page[]): Page => {
  const summary =
    'Checkout transactions for vehicle purchases: partners read them by an API, and are told by webhooks what changed.';
  return {
    ...{ name: '', title: 'Transactions', summary },
    html: `<h1>Transactions</h1>\n<p>${summary}</p>\n<ul class="cards">\n${pages.map(card).join('\n')}\n</ul>\n`,
  };
};

const card = ({ name, title, summary }: Page) =>
  `<li><a href="${hrefOf(name)}">${escaped(title)}</a><p>${escaped(plain(summary))}</p></li>`;

/** Without the marks of Markdown. */
const plain = (markdown: string) =>
  markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]/g, '');
