import { describe, expect, test } from '@jest/globals';
import { columnNames, columns } from '../../../functions/shared/domain/listing/columns.ts';
import { defaultPerPage, largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import { read } from './documents.ts';
import { rulesOf } from './rules.ts';

const sentenceOf = (rule: string) =>
  rulesOf(read('docs/rules.md')).find(({ id }) => id === rule)?.sentence ?? '';

/** The first cell of each row of a document's tables that is a name in code. */
const namesIn = (document: string) => [...document.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);

describe('documents about lists', () => {
  test('FLT-1 the guide has a row for each filter, and no other', () => {
    expect(namesIn(read('docs/guide/filters.md'))).toEqual(
      columnNames.map((name) => columns[name].parameter),
    );
  });

  test('FLT-1 the rule names each column', () => {
    expect([...sentenceOf('FLT-1').matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(columnNames);
  });

  test('PAGE-2 the guide and the rule say how large a page is', () => {
    const values = `1 to ${largestPerPage}, ${defaultPerPage} by default; more counts as ${largestPerPage}`;

    expect(read('docs/guide/paging.md')).toContain(`| \`per-page\` | ${values} `);
    expect(read('docs/guide/limits.md')).toMatch(
      new RegExp(`^\\| records of a page +\\| ${largestPerPage} +\\| ${largestPerPage} +\\|$`, 'm'),
    );
    expect(sentenceOf('PAGE-2')).toBe(
      `\`per-page\` is ${defaultPerPage} when absent or not a number, else clamped to 1 to ${largestPerPage}.`,
    );
  });
});
