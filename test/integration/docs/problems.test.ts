import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { problemExamples } from '../../../bin/openapi/examples/problems.ts';
import { problems } from '../../../functions/shared/http/problem.ts';
import { gatewayAnswers } from '../../../lib/constructs/api/gateway-answers.ts';
import { builtSite } from '../../support/docs/built-site.ts';
import { root } from '../../support/repository.ts';

const page = builtSite().get('/docs/problems') ?? '';

/** `id status title` of each paragraph of the page, from its heading and the words that it begins with. */
const explained = [
  ...page.matchAll(/<h2 id="([^"]+)">(?:(?!<h2)[\s\S])+?<\/div>\s*<p><strong>(.+?)\.<\/strong>/g),
].map(([, id, words]) => `${id} ${words}`);

/** Of each paragraph the answer that it quotes: its `detail`, and its `errors` by field. */
const quoted = readFileSync(join(root, 'docs/guide/problems.md'), 'utf8')
  .split('\n## ')
  .filter((paragraph) => paragraph.includes('\n> '))
  .map((paragraph) => {
    const [heading = '', ...lines] = paragraph.split('\n');
    const quote = lines.filter((line) => line.startsWith('>')).map((line) => line.slice(1).trim());
    return [heading.toLowerCase().replaceAll(' ', '-'), quote.join(' ').trim()];
  });

const wordsOf = ({ status, title }: { status: number | string; title: string }) =>
  typeof status === 'number' ? `${status} ${title}` : `Any other ${status.toLowerCase()}, ${title}`;

test('DOC-4 every type of problem has a paragraph with its status and title, and every paragraph a type', () => {
  const known = new Set([
    ...Object.entries(problems).map(([name, one]) => `${name} ${wordsOf(one)}`),
    ...Object.values(gatewayAnswers).map((one) => `${one.paragraph} ${wordsOf(one)}`),
    // What the gateway's front says before it looks for an API; only the local stage's has our shape.
    'headers-too-large 431 Request Header Fields Too Large',
  ]);

  expect(explained.toSorted()).toEqual([...known].sort());
});

test('DOC-4 ERR-1 each paragraph quotes the detail and the errors of the actual response', () => {
  const answered = (problemExamples as Answer[]).map(({ type, detail, errors = [] }) => [
    type.split('#')[1],
    [
      `\`detail\`: ${detail}`,
      ...errors.map(({ field, message }) => `\`errors\`: \`${field}\`: ${message}`),
    ].join('  '),
  ]);

  expect(Object.fromEntries(quoted)).toEqual(Object.fromEntries(answered));
  expect(quoted.length).toBeGreaterThan(30);
});

type Answer = { type: string; detail: string; errors?: { field: string; message: string }[] };
