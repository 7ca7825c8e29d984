import { createHash } from 'node:crypto';
import { basePathMark } from '../../functions/serve-docs/document.ts';

/** Files by their paths within the site: `start/index.html`, `_astro/page.js`. */
export type Files = Map<string, string>;

/**
 * Prepares the built site for serving: removes what a strict Content-Security-Policy forbids (inline scripts and
 * styles, `data:` addresses), makes scrollable areas reachable by keyboard, and puts the answers of an operation beside
 * its request.
 */
export const finished = (built: Files): Files => {
  const made: Files = new Map();
  const put: Put = (text, ending) => {
    const name = `_astro/${hashOf(text, 10)}.${ending}`;
    made.set(name, text);
    return `${basePathMark}/docs/${name}`;
  };
  const styles = new Map<string, string>();
  for (const [path, text] of built) {
    if (path.endsWith('.html'))
      made.set(path, withoutInline(sideBySide(reachable(named(path, text))), put, styles));
    else made.set(path, path.endsWith('.css') ? withoutData(ofClasses(text), put) : text);
  }
  const sheet = put([...styles].map(([name, style]) => `.${name}.${name}{${style}}`).join('\n'), 'css');
  const link = `<link rel="stylesheet" href="${sheet}"></head>`;
  for (const [path, text] of made) if (path.endsWith('.html')) made.set(path, text.replace('</head>', link));
  return made;
};

/** Writes a text into a file that is named by its hash, and returns its address. */
type Put = (text: string, ending: string) => string;

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

const withoutInline = (html: string, put: Put, styles: Map<string, string>): string =>
  html
    .replaceAll(
      inlineScript,
      (_, attributes, text) => `<script${attributes} src="${put(text, 'js')}"></script>`,
    )
    .replaceAll(styled, (_, tag, before, style, after) => {
      const name = `s-${hashOf(style, 5)}`;
      styles.set(name, style.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
      return `<${tag}${withClass(`${before}${after}`, name)}>`;
    });

const inlineScript = /<script(?![^>]* src=)([^>]*)>([\s\S]+?)<\/script>/g;
const styled = /<(\w[\w-]*)((?:[^>"]|"[^"]*")*?) style="([^"]+)"((?:[^>"]|"[^"]*")*)>/g;

const withClass = (attributes: string, name: string): string =>
  attributes.includes(' class="')
    ? attributes.replace(' class="', ` class="${name} `)
    : ` class="${name}"${attributes}`;

/** Code is coloured by a rule for elements that have a style and no class. They have a class now. */
const ofClasses = (css: string): string =>
  css.replaceAll(/\[style\^=['"]?--['"]?\]:not\(\[class\]\)/g, '[class^=s-]');

const withoutData = (css: string, put: Put): string =>
  css.replaceAll(
    /url\((["']?)data:image\/svg\+xml(;base64)?[^,]*,(.+?)\1\)(?=[\s;,}])/g,
    (_, __, isBase64, svg) =>
      `url(${put(isBase64 ? Buffer.from(svg, 'base64').toString() : decodeURIComponent(svg), 'svg')})`,
  );

/** The generator calls the first page of the reference "Overview". */
const named = (path: string, html: string): string =>
  path === 'reference/index.html' ? html.replaceAll(/(?<=<title>|<h1 [^>]*>)Overview/g, 'Reference') : html;

/** Scrollable areas can be focused and scrolled by keyboard. */
const reachable = (html: string): string =>
  html
    .replaceAll(/<pre(?![^>]*tabindex)/g, '<pre tabindex="0"')
    .replaceAll('<table>', '<table tabindex="0">')
    .replaceAll('<div class="sl-openapi-section-panel', '<div tabindex="0" class="sl-openapi-section-panel');

/** Wide screens show the answers beside the request, in the place of the table of contents. */
const sideBySide = (html: string): string => {
  const [request, answers] = [/(?:authorizations|parameters|request-body)/, /responses/].map(({ source }) =>
    html.search(new RegExp(`(?:<section [^>]*>)?<div class="[^"]*"><h2 id="${source}"`)),
  ) as [number, number];
  const end = html.indexOf('</div><footer');
  if (!html.includes(ofOperation) || request < 0 || answers < 0 || end < 0) return html;
  return [
    html.slice(0, request).replace(' data-has-toc', '').replace(ofOperation, `operation ${ofOperation}`),
    ...['<div class="columns"><div>', html.slice(request, answers), '</div><div>', html.slice(answers, end)],
    ...['</div></div>', html.slice(end)],
  ].join('');
};

const ofOperation = 'sl-openapi-operation-description ';
