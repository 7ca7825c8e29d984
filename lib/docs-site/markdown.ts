import { Marked, type Tokens } from 'marked';
import { basePathMark, exampleAddresses } from '../../functions/serve-docs/document.ts';

/** A page as it is written: its own title, its first sentence, and the whole of it. */
export type Guide = { name: string; title: string; summary: string; markdown: string };

/** Reads title and summary out of a Markdown text, which begins with them. */
export const guideOf = (name: string, markdown: string): Guide => {
  const [, title = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)(?:\n\n|$)/.exec(markdown) ?? [];
  return { name, title, summary: summary.replaceAll('\n', ' '), markdown };
};

/** The last part of a heading's address, as GitHub makes it: links within the repository work there as well. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * The HTML of a Markdown text. A link to another page of the site leads there; one to any other file of the repository, which no
 * reader of the site has, is its text alone.
 */
export const htmlOf = (markdown: string, pages: ReadonlySet<string>): string => {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(text)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const to = addressOf(href, pages);
        return to === undefined ? inner : `<a href="${escaped(to)}">${inner}</a>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const name = lang.split(' ')[0] ?? '';
        return `<pre tabindex="0"><code data-language="${escaped(name)}">${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
};

/** A sentence or two, without a paragraph around them. */
export const inlineHtmlOf = (markdown: string): string =>
  new Marked({ gfm: true }).parseInline(markdown, { async: false });

/** `paging.md#cursors` is a page of the site, as what has its address, `#x` stays, `../lib/x.md` is nowhere. */
const addressOf = (href: string, pages: ReadonlySet<string>): string | undefined => {
  if (href.startsWith(`${exampleAddresses.baseUrl}/`))
    return `${basePathMark}${href.slice(exampleAddresses.baseUrl.length)}`;
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', place = ''] = /^(?:[\w.-]+\/)*([\w-]+)(?:\.\w+)?(#.*)?$/.exec(href) ?? [];
  return pages.has(name) ? `${basePathMark}/docs/${name}${place}` : undefined;
};
