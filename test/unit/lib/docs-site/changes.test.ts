import { expect, test } from '@jest/globals';
import { changesGuide } from '../../../../lib/docs-site/changes.ts';
import { placeInReference } from '../../../../lib/docs-site/reference.ts';
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

test('DOC-9 before anything has changed, the page says so', () => {
  expect(site['/docs/changes']?.text).toContain('Nothing has changed since the first release.');
  expect(changesGuide([], () => undefined).markdown).toContain(
    'Nothing has changed since the first release.',
  );
});

test('DOC-9 the place of an operation is its anchor in the reference, and the reference has it', () => {
  const place = placeInReference(JSON.parse(site['/openapi.json']?.text ?? ''), 'GET /api/v2/event');

  expect(place).toBe('https://api.transactions.example/docs/reference#get-api-v2-event');
  expect(site['/docs/reference']?.text).toContain('id="get-api-v2-event"');
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
