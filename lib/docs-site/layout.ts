import { basePathMark } from '../../functions/serve-docs/document.ts';
import { escaped } from './markdown.ts';

export type PageLink = { name: string; title: string };

export type Page = {
  /** The last segment of its address; empty for the first page. */
  name: string;
  title: string;
  summary: string;
  html: string;
  /** A list of places within the page, beside it where there is room. */
  contents?: string;
};

type Frame = { links: readonly PageLink[]; style: string };

/** The address of a page within the site. */
export const hrefOf = (name: string): string => `${basePathMark}/docs${name === '' ? '' : `/${name}`}`;

/** A whole page. Without a script: on a phone the menu stands below, and a link at the top leads to it. */
export const framed = ({ name, title, summary, html, contents }: Page, { links, style }: Frame): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name === '' ? title : `${title} · Transactions`)}</title>
<meta name="description" content="${escaped(summary)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${hrefOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${hrefOf(style)}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="${hrefOf('')}">Transactions</a><a class="to-menu" href="#menu">Menu</a></header>
<div class="columns">
<main id="content" tabindex="-1">
${html}</main>
<nav id="menu" aria-label="Pages">
<ul>
${links.map((link) => menuLine(link, name)).join('\n')}
</ul>
${contents ?? ''}</nav>
</div>
</body>
</html>
`;

const menuLine = (link: PageLink, current: string): string => {
  const mark = link.name === current ? ' aria-current="page"' : '';
  return `<li><a href="${hrefOf(link.name)}"${mark}>${escaped(link.title)}</a></li>`;
};
