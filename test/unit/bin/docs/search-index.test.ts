import { expect, test } from '@jest/globals';
import { searchIndex } from '../../../../bin/docs/search-index.ts';

const anchor = '<a class="sl-anchor-link" href="#x"><span class="sr-only">Section titled</span></a>';
const page = (title: string, content: string) =>
  `<h1 id="_top">${title}</h1><div class="sl-markdown-content">${content}</div><footer></footer>`;

test('DOC-12 each section of a page is found by itself, with its text as shown', () => {
  const html = page(
    'Pages',
    `<p>A list &amp; its <code>next</code>.</p><div><h2 id="x">Read <em>all</em></h2>${anchor}</div><p>Follow.</p><button data-code="curl">Copy</button>`,
  );

  expect(searchIndex([{ address: '/docs/paging', html }])).toEqual([
    { id: '/docs/paging', page: 'Pages', heading: '', text: 'A list & its next.' },
    { id: '/docs/paging#x', page: 'Pages', heading: 'Read all', text: 'Follow.' },
  ]);
});

test('DOC-12 a member that many operations have is found at the first of them', () => {
  const member = '<div class="sl-openapi-key x"><strong>make</strong> <p>Who built it.</p></div>';
  const operation = (title: string) => page(title, `<p>${title}.</p><h2 id="200">200</h2>${member}`);
  const index = searchIndex(
    ['Get', 'List'].map((title) => ({ address: `/docs/${title}`, html: operation(title) })),
  );

  expect(index.map(({ id, text }) => [id, text])).toEqual([
    ['/docs/Get', 'Get.'],
    ['/docs/Get#200', 'make Who built it.'],
    ['/docs/List', 'List.'],
  ]);
});

test('DOC-12 examples and samples of the reference are not indexed, and code of guides is', () => {
  const figure = '<figure><pre>curl</pre></figure>';
  const html = page(
    'Get',
    `<div class="sl-openapi-snippet x" hidden><div>${figure}</div></div><p>Gets.</p>${figure}<div class="sl-openapi-example y"><div>${figure}</div></div>`,
  );

  expect(searchIndex([{ address: '/docs/get', html }])[0]?.text).toBe('Gets. curl');
});
