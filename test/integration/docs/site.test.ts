import { expect, test } from '@jest/globals';
import { basePathMark } from '../../../functions/serve-docs/document.ts';
import { builtSite, pagesOf } from '../../support/docs/built-site.ts';

const site = builtSite();
const pages = pagesOf(site);

/** Every place that a page can be led to. */
const places = new Set([
  ...site.keys(),
  ...pages.flatMap(([path, text]) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${path}#${id}`)),
]);

test('DOC-5 every link of a page leads to a page, a place in one, an address of the stage, or a standard', () => {
  const wrong = pages.flatMap(([path, text]) =>
    [...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) =>
        href.replace(basePathMark, '').replace(/^https:\/\/api\.transactions\.example/, ''),
      )
      .map((href) => (href.startsWith('#') ? `${path}${href}` : href))
      .filter(
        (href) =>
          !places.has(href) && !/^https:\/\/(www\.rfc-editor\.org|auth\.transactions\.example)\//.test(href),
      )
      .map((href) => `${path}: ${href}`),
  );

  expect(wrong).toEqual([]);
});

test('DOC-5 no two places of a page have the same name', () => {
  const twice = pages.flatMap(([path, text]) => {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${path}#${id}`);
  });

  expect(twice).toEqual([]);
});

test('DOC-5 a guide links to its neighbours in Markdown as well', () => {
  const wrong = [...site]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https:)([\w./-]+)/g)]
        .map(([, href = '']) => href)
        .filter((href) => !site.has(`/docs/${href}`))
        .map((href) => `${path}: ${href}`),
    );

  expect(wrong).toEqual([]);
});

test('DOC-3 no page has inline scripts or styles, and nothing comes from another host', () => {
  const inner = pages.flatMap(([path, text]) =>
    [...text.matchAll(/<script(?![^>]* src=)|<style| style=| on[a-z]+="|(?:src|action)="https?:/g)].map(
      ([what]) => `${path}: ${what}`,
    ),
  );
  const elsewhere = [...site]
    .filter(([path]) => /\.(css|js)$/.test(path))
    .flatMap(([path, text]) => [...text.matchAll(/url\(["']?(?:https?:|data:)/g)].map(() => path));

  expect([...inner, ...elsewhere]).toEqual([]);
});

test('DOC-5 no guide names a file of the repository, or the internal interface document', () => {
  const guides = [...site].filter(([path]) => path.endsWith('.md'));

  for (const [path, text] of guides)
    expect([path, text.match(/\binterface \d|\b(?:functions|localstack|lib|bin)\/\w/g)]).toEqual([
      path,
      null,
    ]);
});

test('DOC-6 llms.txt begins with a title and a summary, and links to every guide as Markdown', () => {
  const text = site.get('/llms.txt') ?? '';
  const guides = [...site.keys()].filter((path) => path.endsWith('.md'));

  expect(text.split('\n').slice(0, 3)).toEqual(['# Transactions', '', expect.stringMatching(/^> /)]);
  for (const path of guides) expect(text).toContain(`](https://api.transactions.example${path}): `);
});

test('DOC-6 the catalogue is a linkset from both APIs to their description, pages and metadata', () => {
  const text = site.get('/.well-known/api-catalog') ?? '';
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
