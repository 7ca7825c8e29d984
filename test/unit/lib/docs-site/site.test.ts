import { expect, test } from '@jest/globals';
import { basePathMark } from '../../../../functions/serve-docs/document.ts';
import { buildSite } from '../../../../lib/docs-site/site.ts';
import { root } from '../../../support/repository.ts';

const site = buildSite(root);
const pages = Object.entries(site).filter(([, { type }]) => type.startsWith('text/html'));

/** Every place that a page can be led to. */
const places = new Set([
  ...Object.keys(site),
  ...pages.flatMap(([path, { text }]) =>
    [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${path}#${id}`),
  ),
]);

test('DOC-5 every link of a page leads somewhere: to a page, a place in one, an address of the stage, or a standard', () => {
  const wrong = pages.flatMap(([path, { text }]) =>
    [...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) => href.replace(basePathMark, '').replace('https://api.transactions.example', ''))
      .map((href) => (href.startsWith('#') ? `${path}${href}` : href))
      .filter((href) => !places.has(href) && !href.startsWith('https://www.rfc-editor.org/'))
      .map((href) => `${path}: ${href}`),
  );

  expect(wrong).toEqual([]);
});

test('DOC-5 no two places of a page have one name', () => {
  const twice = pages.flatMap(([path, { text }]) => {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${path}#${id}`);
  });

  expect(twice).toEqual([]);
});

test('DOC-5 a guide links to its neighbours in Markdown, too', () => {
  const wrong = Object.entries(site)
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, { text }]) =>
      [...text.matchAll(/\]\((?!https:)([\w./-]+)/g)]
        .map(([, href = '']) => href)
        .filter((href) => !Object.hasOwn(site, `/docs/${href}`))
        .map((href) => `${path}: ${href}`),
    );

  expect(wrong).toEqual([]);
});

test('DOC-3 no document has a script in it, a style of its own, or anything of another host', () => {
  const inner = pages.flatMap(([path, { text }]) =>
    [...text.matchAll(/<script|<style| style=| on\w+="|(?:src|action)="https?:/g)].map(
      ([what]) => `${path}: ${what}`,
    ),
  );

  expect(inner).toEqual([]);
});

test('DOC-2 the same sources make the same bytes', () => {
  expect(JSON.stringify(buildSite(root))).toBe(JSON.stringify(site));
});

test('DOC-5 no guide names a file of the repository, or the interface that partners do not have', () => {
  const guides = Object.entries(site).filter(([path]) => path.endsWith('.md'));

  for (const [path, { text = '' }] of guides)
    expect([path, text.match(/\binterface \d|\b(?:functions|localstack|lib|bin)\/\w/g)]).toEqual([
      path,
      null,
    ]);
});

test('DOC-6 llms.txt begins with a title and a summary, and links to every guide as Markdown', () => {
  const { text = '', type } = site['/llms.txt'] ?? {};
  const guides = Object.keys(site).filter((path) => path.endsWith('.md'));

  expect(type).toBe('text/plain; charset=UTF-8');
  expect(text.split('\n').slice(0, 3)).toEqual(['# Transactions', '', expect.stringMatching(/^> /)]);
  for (const path of guides) expect(text).toContain(`](https://api.transactions.example${path}): `);
});

test('DOC-6 the catalogue is a linkset that leads from both APIs to their description, pages and metadata', () => {
  const { type, text = '' } = site['/.well-known/api-catalog'] ?? {};
  const base = 'https://api.transactions.example';
  const auth = 'https://auth.transactions.example';
  const described = {
    'service-desc': [
      { href: `${base}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' },
      { href: `${base}/docs/collection.json`, type: 'application/json' },
    ],
    'service-doc': [
      { href: `${base}/docs`, type: 'text/html' },
      { href: `${base}/docs/changes`, type: 'text/html' },
    ],
  };
  const meta = (href: string) => ({ 'service-meta': [{ href, type: 'application/json' }] });

  expect(type).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
  expect(JSON.parse(text)).toEqual({
    linkset: [
      {
        anchor: `${base}/.well-known/api-catalog`,
        item: [{ href: `${base}/api/v2` }, { href: `${auth}/oauth2/token` }],
      },
      {
        anchor: `${base}/api/v2`,
        ...described,
        ...meta(`${base}/.well-known/oauth-protected-resource/api/v2`),
      },
      {
        anchor: `${auth}/oauth2/token`,
        ...described,
        ...meta(`${auth}/.well-known/oauth-authorization-server`),
      },
    ],
  });
});
