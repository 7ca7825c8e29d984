import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basePathMark, exampleAddresses } from '../../functions/serve-docs/document.ts';

/** A Markdown page: its title, its first paragraph, and its whole text. */
export type Guide = { name: string; title: string; summary: string; markdown: string };

export const readGuide = (root: string, name: string): Guide =>
  guideOf(name, readFileSync(join(root, 'docs/guide', `${name}.md`), 'utf8'));

/** Reads title and summary from the beginning of a Markdown text. */
export const guideOf = (name: string, markdown: string): Guide => {
  const [, title = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)(?:\n\n|$)/.exec(markdown) ?? [];
  if (title === '') throw new Error(`The guide ${name} does not begin with "# Title" and a paragraph.`);
  return { name, title, summary: plain(summary), markdown };
};

/** Removes Markdown marks and line breaks. */
const plain = (markdown: string) =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll('\n', ' ');

/** The part before a colon, because the rest of a title explains it. */
export const shortTitle = (title: string): string => title.replace(/:.*/, '');

/** The guide in the form that Starlight reads. */
export const pageOf = ({ title, summary, markdown }: Guide, names: ReadonlySet<string>): string =>
  [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(summary)}`,
    '---',
    withLinks(markdown.replace(/^# .+\n/, ''), (href) => addressOf(href, names)),
  ].join('\n');

/** The guide as Markdown files in one folder. */
export const twinOf = ({ markdown }: Guide, names: ReadonlySet<string>): string =>
  withLinks(markdown, (href) => {
    const [, name = '', place = ''] = guideLink.exec(href) ?? [];
    if (name === '') return href;
    return names.has(name) ? `${name}.md${place}` : undefined;
  });

const guideLink = /^(?:[\w.-]+\/)*([\w-]+)\.md(#.*)?$/;

/** `paging.md#cursors` becomes a page of the site. `../lib/x.md` has none. */
const addressOf = (href: string, names: ReadonlySet<string>): string | undefined => {
  if (href.startsWith(`${exampleAddresses.baseUrl}/`))
    return `${basePathMark}${href.slice(exampleAddresses.baseUrl.length)}`;
  const [, name = '', place = ''] = guideLink.exec(href) ?? [];
  if (name === '') return href;
  return names.has(name) ? `${basePathMark}/docs/${name}${place}` : undefined;
};

/** Replaces the addresses of links, inline or in reference style. A link without a page becomes its text. */
const withLinks = (markdown: string, addressOf: (href: string) => string | undefined): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, href: string) => {
      const address = addressOf(href);
      return address === undefined ? text : `[${text}](${address})`;
    })
    .replaceAll(
      /^(\[[^\]]+\]: )(\S+)$/gm,
      (_, name: string, href: string) => name + (addressOf(href) ?? href),
    );
