import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectionOf } from '../../bin/openapi/collection/collection.ts';
import { basePathMark, type Site, type SiteDocument } from '../../functions/serve-docs/document.ts';
import { type Change, changesGuide } from './changes.ts';
import { apiCatalog, overviewForTools } from './for-tools.ts';
import { framed, hrefOf, type Page, type PageLink } from './layout.ts';
import { escaped, guideOf, htmlOf } from './markdown.ts';
import type { OpenApi } from './open-api.ts';
import { placeInReference, referencePage } from './reference.ts';

/** The guides in the order in which they are read, by the files that they are. */
const guideFiles = {
  start: 'docs/guide/start.md',
  transactions: 'docs/guide/transactions.md',
  filters: 'docs/guide/filters.md',
  paging: 'docs/guide/paging.md',
  'expand-and-fields': 'docs/guide/expand-and-fields.md',
  payments: 'docs/guide/payments.md',
  webhooks: 'docs/guide/webhooks.md',
  events: 'docs/guide/events.md',
  'manage-webhook': 'docs/guide/manage-webhook.md',
  tokens: 'docs/guide/tokens.md',
  problems: 'docs/guide/problems.md',
  limits: 'docs/guide/limits.md',
  versioning: 'docs/guide/versioning.md',
  'sign-in': 'docs/guide/sign-in.md',
} as const;

/** Everything that `serve-docs` answers, by its path: the same bytes from the same sources. */
export const buildSite = (root: string): Site => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const api: OpenApi = JSON.parse(read('docs/openapi.json'));
  const changes: Change[] = JSON.parse(read('docs/api-changelog.json'));
  const guides = [
    ...Object.entries(guideFiles).map(([name, file]) => guideOf(name, read(file))),
    changesGuide(changes, (operation) => placeInReference(api, operation)),
  ];
  const css = read('lib/docs-site/style.css');
  const style = `style.${hashOf(css)}.css`;
  const names = new Set(guides.map(({ name }) => name));
  const reference = referencePage(api, names);
  const [start, ...others] = guides.map((guide): Page => ({ ...guide, html: htmlOf(guide.markdown, names) }));
  const inner = [...(start ? [start] : []), reference, ...others];
  const pages = [firstPage(inner), ...inner];
  const links: PageLink[] = pages.map(({ name, title }) => ({
    name,
    title: name === '' ? 'Overview' : shortTitle(title),
  }));
  return {
    ...Object.fromEntries(pages.map((page) => [pathOf(page.name), html(framed(page, { links, style }))])),
    ...Object.fromEntries(
      guides.map(({ name, markdown }) => [`/docs/${name}.md`, text(besideEachOther(markdown))]),
    ),
    [`/docs/${style}`]: { type: 'text/css; charset=UTF-8', text: css, isHashed: true },
    '/docs/icon.svg': { type: 'image/svg+xml', text: read('lib/docs-site/icon.svg') },
    '/openapi.json': json(api),
    '/docs/api-changelog.json': json(changes),
    '/docs/collection.json': json(collectionOf(JSON.parse(read('docs/openapi.json')))),
    '/docs/receiver.mjs': {
      type: 'text/javascript; charset=UTF-8',
      text: receiverIn(read('docs/guide/webhooks.md')),
    },
    '/llms.txt': { type: 'text/plain; charset=UTF-8', text: overviewForTools(guides) },
    '/.well-known/api-catalog': apiCatalog(),
  };
};

/** Links as they are where all guides stand in one folder; the repository's other files are not there. */
const besideEachOther = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1');

/** The only program in the guide of webhooks, for whoever would rather fetch it than copy it. */
const receiverIn = (markdown: string) => /^```js\n([\s\S]+?)^```$/m.exec(markdown)?.[1] ?? '';

const pathOf = (name: string) => (name === '' ? '/docs' : `/docs/${name}`);
const html = (whole: string): SiteDocument => ({ type: 'text/html; charset=UTF-8', text: whole });
const text = (whole: string): SiteDocument => ({ type: 'text/markdown; charset=UTF-8', text: whole });
const json = (value: unknown): SiteDocument => ({
  type: 'application/json; charset=UTF-8',
  text: JSON.stringify(value),
});
const hashOf = (whole: string) => createHash('sha256').update(whole).digest('hex').slice(0, 12);

const firstPage = (pages: readonly Page[]): Page => {
  const summary =
    'Checkout transactions for vehicle purchases: partners read them by an API, and are notified by webhooks of what changed.';
  return {
    ...{ name: '', title: 'Transactions', summary },
    html: `<h1>Transactions</h1>\n<p>${summary}</p>\n<ul class="cards">\n${pages.map(card).join('\n')}\n</ul>\n${forTools}`,
  };
};

const forTools = `<h2 id="for-your-tools">For your tools</h2>
<ul>
<li><a href="${basePathMark}/openapi.json">openapi.json</a>: the description of the whole interface (OpenAPI 3.1), for generators</li>
<li><a href="${basePathMark}/docs/collection.json">collection.json</a>: every request, to import into Postman, Bruno or Insomnia</li>
<li><a href="${basePathMark}/docs/api-changelog.json">api-changelog.json</a>: what changed in the interface, by date</li>
<li><a href="${basePathMark}/llms.txt">llms.txt</a>: these pages as Markdown, for language models</li>
<li><a href="${basePathMark}/.well-known/api-catalog">api-catalog</a>: where the APIs and their descriptions are (RFC 9727)</li>
</ul>
`;

/** What stands before a colon: the rest of a title explains it. */
const shortTitle = (title: string) => title.replace(/:.*/, '');

const card = ({ name, title, summary }: Page) =>
  `<li><a href="${hrefOf(name)}">${escaped(shortTitle(title))}</a><p>${escaped(plain(summary))}</p></li>`;

/** Without the marks of Markdown. */
const plain = (markdown: string) =>
  markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]/g, '');
