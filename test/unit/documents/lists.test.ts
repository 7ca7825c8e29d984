import { describe, expect, test } from '@jest/globals';
import { columnNames, columns, indexedColumns } from '../../../functions/shared/domain/listing/columns.ts';
import { defaultPerPage, largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import {
  allRunPartition,
  counterKey,
  runPartition,
  sequenceKey,
  sequenceNumbersKey,
  sessionPartition,
  valuePartition,
} from '../../../functions/shared/store/listing/keys.ts';
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

  test('the listing’s page has the keys that the code makes', () => {
    const rollup = { kind: 'group', id: '<r>', groupId: '<group>' } as const;
    const rows = new Map(
      [...read('docs/listing.md').matchAll(/^\| ([a-z0-9 ]+?) +\| (`[^|]+?) +\| `([^`]+)` +\|/gm)].map(
        ([, item, pk, sk]) => [item, [pk, sk]],
      ),
    );

    expect(Object.fromEntries(rows)).toMatchObject({
      sequence: [`\`${sequenceKey.pk}\``, sequenceKey.sk],
      'kept numbers': [`\`${sequenceKey.pk}\``, sequenceNumbersKey('<list>').sk],
      'run of a rollup': [`\`${runPartition('<r>')}\``, '<pos>'],
      'run of everyone': [`\`${allRunPartition(0).replace(/0$/, '<bucket>')}\``, '<pos>'],
      'value runs': [
        Object.values(indexedColumns)
          .map(({ run }) => `\`${valuePartition('<group>', { run, value: '<id>' })}\``)
          .join(', '),
        '<pos>',
      ],
      'session run': [`\`${sessionPartition('<session>')}\``, '<pos>'],
      'root counters': [
        `\`${counterKey(rollup, { level: 3, item: 0 }, 0).pk}\``,
        counterKey(rollup, { level: 3, item: 0 }, 0).sk.replace('rg', 'r<k>').replace(/0$/, '<s>'),
      ],
    });
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
