import { basePathMark } from '../../functions/serve-docs/document.ts';
import type { OperationPage } from './description.ts';
import type { Guide } from './guides.ts';
import { type Group, groups } from './pages.ts';
import { linkOf, operationsOf } from './sidebar.ts';

const summary =
  'Checkout transactions for vehicle purchases: partners read and change them by an API, and webhooks notify them of what changed.';

/** The first page: every guide with its summary, every operation by name, and files for programs. */
export const firstPage = (guides: readonly Guide[], pages: readonly OperationPage[]): string =>
  [
    ...[
      '---',
      'title: Transactions',
      `description: ${JSON.stringify(summary)}`,
      'tableOfContents: false',
      '---',
      '',
    ],
    ...["import { CardGrid, LinkCard } from '@astrojs/starlight/components';", '', summary, ''],
    ...groups.flatMap((group) => [
      `## ${group.label}`,
      '',
      ...cards(group, guides),
      ...operations(group, pages),
      '',
    ]),
    ...[
      '## For your tools',
      '',
      ...forTools.map(([path, about]) => `- [${path}](${basePathMark}/${path}): ${about}`),
      '',
    ],
  ].join('\n');

const cards = (group: Group, guides: readonly Guide[]): string[] => {
  const named = guides.filter(({ name }) => group.guides.includes(name));
  const card = ({ name, title, summary: about }: Guide) =>
    `<LinkCard title={${JSON.stringify(title)}} description={${JSON.stringify(about)}} href="${basePathMark}/docs/${name}" />`;
  return named.length === 0 ? [] : ['<CardGrid>', ...named.map(card), '</CardGrid>', ''];
};

const operations = (group: Group, pages: readonly OperationPage[]): string[] =>
  operationsOf(group, pages).map((page) => {
    const { label, link } = linkOf(page);
    return `- [${label}](${basePathMark}/docs${link})`;
  });

const forTools = [
  ['openapi.json', 'the description of the whole interface (OpenAPI 3.1), for generators'],
  ['docs/collection.json', 'every request, to import into Postman, Bruno or Insomnia'],
  ['docs/api-changelog.json', 'what changed in the interface, by date'],
  ['llms.txt', 'these pages as Markdown, for language models'],
  ['.well-known/api-catalog', 'where the APIs and their descriptions are (RFC 9727)'],
];

export const notFoundPage = `---
title: Page not found
description: No page of the documentation has this address.
tableOfContents: false
---

No page of the documentation has this address. Search for what you need, or start at
[the first page](${basePathMark}/docs).
`;
