import { expect, test } from '@jest/globals';
import { changesGuide } from '../../../../lib/docs-site/changes.ts';
import { buildSite } from '../../../../lib/docs-site/site.ts';
import { root } from '../../../support/repository.ts';

const site = buildSite(root);

test('DOC-9 changes are told by their days, the newest first, with a link where the reference has the operation', () => {
  const { title, markdown } = changesGuide(
    [
      { date: '2027-01-12', kind: 'breaking', operation: 'GET /old', sentence: 'Goes away.' },
      { date: '2027-01-12', kind: 'added', operation: 'GET /new', sentence: 'Comes.' },
      { date: '2026-11-22', kind: 'added', operation: 'GET /old', sentence: 'Is there.' },
    ],
    (operation) =>
      operation === 'GET /new' ? 'https://api.transactions.example/docs/reference#x' : undefined,
  );

  expect(title).toBe('Changes');
  expect(markdown.slice(markdown.indexOf('## '))).toBe(
    [
      ...['## 2027-01-12', '', '- **breaking** `GET /old`: Goes away.'],
      '- **added** [`GET /new`](https://api.transactions.example/docs/reference#x): Comes.',
      ...['', '## 2026-11-22', '', '- **added** `GET /old`: Is there.', ''],
    ].join('\n'),
  );
});

test('DOC-9 every change that is told leads to its operation in the reference', () => {
  const { text = '' } = site['/docs/changes'] ?? {};
  const told = JSON.parse(site['/docs/api-changelog.json']?.text ?? '').length;

  expect(text.match(/<li><strong>\w+<\/strong> <a href="\/__base__\/docs\/reference#/g)).toHaveLength(told);
});

test('DOC-9 the collection names the addresses that a stage puts its own in the place of', () => {
  const { variable } = JSON.parse(site['/docs/collection.json']?.text ?? '');

  expect(variable.slice(0, 3)).toEqual([
    { key: 'baseUrl', value: 'https://api.transactions.example' },
    { key: 'authUrl', value: 'https://auth.transactions.example' },
    { key: 'clientId', value: '' },
  ]);
});

test('DOC-9 the first page leads to what tools read', () => {
  const { text = '' } = site['/docs'] ?? {};
  const paths = ['openapi.json', 'docs/collection.json', 'docs/api-changelog.json', 'llms.txt'];

  for (const path of [...paths, '.well-known/api-catalog'])
    expect(text).toContain(`href="/__base__/${path}"`);
});
