import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { problems } from '../../../../functions/shared/http/problem.ts';
import { gatewayAnswers } from '../../../../lib/gateway-answers.ts';
import { root } from '../../../support/repository.ts';

const guide = readFileSync(join(root, 'docs/guide/problems.md'), 'utf8');

/** `type status title` of each paragraph: its heading, the type below it, and the words that it begins with. */
const explained = [...guide.matchAll(/^## .+\n\n[<`](.+)[>`]\n\n\*\*(.+?)\.\*\*/gm)].map(
  ([, type, words]) => `${type} ${words}`,
);

const wordsOf = ({ status, title }: { status: number | string; title: string }) =>
  typeof status === 'number' ? `${status} ${title}` : `Any other ${status.toLowerCase()}, ${title}`;

test('DOC-4 every type of problem has a paragraph with its status and title, and every paragraph a type', () => {
  const all = [...Object.values(problems), ...Object.values(gatewayAnswers)];
  const known = new Set(all.map((one) => `${one.page} ${wordsOf(one)}`));

  expect(explained.toSorted()).toEqual([...known].sort());
});
