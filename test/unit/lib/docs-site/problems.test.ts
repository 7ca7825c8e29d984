import { expect, test } from '@jest/globals';
import { problems } from '../../../../functions/shared/http/problem.ts';
import { buildSite } from '../../../../lib/docs-site/site.ts';
import { gatewayAnswers } from '../../../../lib/gateway-answers.ts';
import { root } from '../../../support/repository.ts';

const { text: page = '' } = buildSite(root)['/docs/problems'] ?? {};

/** `id status title` of each paragraph of the page, from its heading and the words that it begins with. */
const explained = [...page.matchAll(/<h2 id="(.+)">.+<\/h2>\n<p><strong>(.+?)\.<\/strong>/g)].map(
  ([, id, words]) => `${id} ${words}`,
);

const wordsOf = ({ status, title }: { status: number | string; title: string }) =>
  typeof status === 'number' ? `${status} ${title}` : `Any other ${status.toLowerCase()}, ${title}`;

test('DOC-4 every type of problem leads to a paragraph of the page with its status and title, and every paragraph a type', () => {
  const known = new Set([
    ...Object.entries(problems).map(([name, one]) => `${name} ${wordsOf(one)}`),
    ...Object.values(gatewayAnswers).map((one) => `${one.paragraph} ${wordsOf(one)}`),
    // What the gateway's front says before it looks for an API; only the local stage's has our shape.
    'headers-too-large 431 Request Header Fields Too Large',
  ]);

  expect(explained.toSorted()).toEqual([...known].sort());
});
