import { expect, test } from '@jest/globals';
import { changesGuide } from '../../../../bin/docs/changes.ts';

test('DOC-9 changes are grouped by day, newest first, with links into the reference', () => {
  const { title, markdown } = changesGuide(
    [
      { date: '2027-01-12', kind: 'breaking', operation: 'GET /old', sentence: 'Goes away.' },
      { date: '2027-01-12', kind: 'added', operation: 'GET /new', sentence: 'Comes.' },
      { date: '2026-11-22', kind: 'added', operation: 'GET /old', sentence: 'Is there.' },
    ],
    (operation) => (operation === 'GET /new' ? 'reference/operations/get-new' : undefined),
  );

  expect(title).toBe('Changes');
  expect(markdown.slice(markdown.indexOf('## '))).toBe(
    [
      ...['## 2027-01-12', '', '- **breaking** `GET /old`: Goes away.'],
      '- **added** [`GET /new`](https://api.transactions.example/docs/reference/operations/get-new): Comes.',
      ...['', '## 2026-11-22', '', '- **added** `GET /old`: Is there.', ''],
    ].join('\n'),
  );
});

test('DOC-9 before the first change the page says so', () => {
  expect(changesGuide([], () => undefined).markdown).toContain(
    'Nothing has changed since the first release.',
  );
});
