import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { guideOf, pageOf, twinOf } from '../../../../bin/docs/guides.ts';
import { groups } from '../../../../bin/docs/pages.ts';
import { root } from '../../../support/repository.ts';

const names = new Set(['paging', 'start']);
const guide = guideOf(
  'start',
  [
    ...['# Get "started"', '', 'With a `token`, read', '[a list](paging.md).', '', '## Next', ''],
    ...['[Pages](paging.md#next), [a](#next), [kit](../../partner-kit/README.md), [below], [it][RFC]', ''],
    ...['[the reference](https://api.transactions.example/docs/reference)', ''],
    ...['[below]: paging.md#next', '[RFC]: https://www.rfc-editor.org/rfc/rfc9457'],
  ].join('\n'),
);

test('DOC-5 every guide is in the menu, once', () => {
  const files = readdirSync(join(root, 'docs/guide')).map((file) => file.replace(/\.md$/, ''));

  // What changed is made of docs/api-changelog.json.
  expect(groups.flatMap((group) => group.guides).toSorted()).toEqual([...files, 'changes'].sort());
});

test('DOC-5 a guide uses its title and first paragraph', () => {
  expect(pageOf(guide, names).split('\n').slice(0, 6)).toEqual([
    '---',
    'title: "Get \\"started\\""',
    'description: "With a token, read a list."',
    ...['---', '', 'With a `token`, read'],
  ]);
});

test('DOC-5 links lead only to pages of the site', () => {
  const page = pageOf(guide, names);

  expect(page).toContain('[Pages](/__base__/docs/paging#next), [a](#next), kit, [below], [it][RFC]');
  expect(page).toContain('[the reference](/__base__/docs/reference)');
  expect(page).toContain(
    '[below]: /__base__/docs/paging#next\n[RFC]: https://www.rfc-editor.org/rfc/rfc9457',
  );
});

test('DOC-5 in Markdown, links lead to the other guides', () => {
  expect(twinOf(guide, names)).toContain('[Pages](paging.md#next), [a](#next), kit,');
});

test('DOC-5 a guide that does not begin with its title is refused by name', () => {
  expect(() => guideOf('odd', 'No title.')).toThrow('The guide odd does not begin with "# Title"');
});
