import { expect, test } from '@jest/globals';
import { finished } from '../../../../bin/docs/after-build.ts';

const page = (body: string) => `<html data-has-toc><head></head><body>${body}</body></html>`;
const finishedPage = (body: string) => {
  const site = finished(new Map([['a/index.html', page(body)]]));
  return { html: site.get('a/index.html') ?? '', site };
};
const fileOf = (site: ReadonlyMap<string, string>, address = '') =>
  site.get(address.replace('/__base__/docs/', ''));

test('DOC-3 an inline script becomes a file that is named by its hash, once for all pages', () => {
  const site = finished(
    new Map(['a', 'b'].map((name) => [`${name}/index.html`, page('<script type="module">go()</script>')])),
  );
  const addresses = ['a', 'b'].map(
    (name) =>
      /<script type="module" src="([^"]+)"><\/script>/.exec(site.get(`${name}/index.html`) ?? '')?.[1],
  );

  expect(addresses[0]).toMatch(/^\/__base__\/docs\/_astro\/[0-9a-f]{10}\.js$/);
  expect(addresses[1]).toBe(addresses[0]);
  expect(fileOf(site, addresses[0])).toBe('go()');
});

test('DOC-3 a style of an element becomes a class, before its other classes', () => {
  const { html, site } = finishedPage(
    '<p style="--a:1" id="x">1</p><p class="b" title="a > b" style="--a:1">2</p><p style="c:&quot;d&quot;">3</p>',
  );
  const [, name = ''] = /<p class="(s-\w+)" id="x">/.exec(html) ?? [];
  const [, sheet] = /<link rel="stylesheet" href="([^"]+)"><\/head>/.exec(html) ?? [];

  expect(html).toContain(`<p class="${name} b" title="a > b">2</p>`);
  expect(html).not.toContain(' style=');
  expect(fileOf(site, sheet)?.split('\n')).toEqual([
    `.${name}.${name}{--a:1}`,
    expect.stringMatching(/\{c:"d"\}$/),
  ]);
});

test('DOC-3 the style of code uses the class', () => {
  const site = finished(
    new Map([['_astro/ec.css', "p :where(span[style^='--']:not([class])){color:var(--0)}"]]),
  );

  expect(site.get('_astro/ec.css')).toBe('p :where(span[class^=s-]){color:var(--0)}');
});

test.each([
  ['written in per cent', `"data:image/svg+xml,%3Csvg xmlns='x'/%3E"`],
  ['in base64', `data:image/svg+xml;base64,${Buffer.from("<svg xmlns='x'/>").toString('base64')}`],
])('DOC-3 a picture in a style sheet becomes a file, %s', (_, data) => {
  const site = finished(new Map([['_astro/a.css', `a{mask:url(${data}) center}`]]));
  const [, address] = /url\(([^)]+)\) center/.exec(site.get('_astro/a.css') ?? '') ?? [];

  expect(address).toMatch(/^\/__base__\/docs\/_astro\/[0-9a-f]{10}\.svg$/);
  expect(fileOf(site, address)).toBe("<svg xmlns='x'/>");
});

test('DOC-7 scrolling areas can be reached by keyboard', () => {
  const { html } = finishedPage('<pre>1</pre><pre tabindex="0">2</pre><table>3</table>');

  expect(html).toContain('<pre tabindex="0">1</pre><pre tabindex="0">2</pre><table tabindex="0">3</table>');
});

test('DOC-13 the responses of an operation are beside its request, and other pages stay as they are', () => {
  const heading = (id: string) => `<div class="sl-heading-wrapper"><h2 id="${id}">`;
  const sample = '<div class="not-content sl-openapi-operation-description x">sample</div>';
  const { html } = finishedPage(
    `<div>${sample}<section class="y">${heading('authorizations')}1${heading('responses')}2</div><footer>3`,
  );
  const guide = finishedPage(`<div>${heading('parameters')}1${heading('responses')}2</div><footer>3`);

  expect(html).toContain(
    `<div class="columns"><div><section class="y">${heading('authorizations')}1</div><div>${heading('responses')}2</div></div></div><footer>3`,
  );
  expect(html).toContain('not-content operation sl-openapi-operation-description');
  expect(html).not.toContain('data-has-toc');
  expect(guide.html).not.toContain('columns');
});
