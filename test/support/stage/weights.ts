import { gzipSync } from 'node:zlib';
import { buildSite } from '../../../lib/docs-site/site.ts';
import { readPageFiles } from '../../../localstack/console/page-files.ts';
import { root } from '../repository.ts';

/** What a browser fetches for a page: bytes as they are, zipped as the gateway sends them, and how many are script. */
export type Weight = { page: string; bytes: number; zipped: number; script: number };

/** Of every page that partners read, its style with it, and of the console. */
export const weights = (): Weight[] => [...docsWeights(), consoleWeight()];

const docsWeights = (): Weight[] => {
  const site = Object.entries(buildSite(root));
  const style = site.filter(([, { type }]) => type.startsWith('text/css')).map(([, { text }]) => text);
  return site
    .filter(([, { type }]) => type.startsWith('text/html'))
    .map(([page, { text }]) => ({ page, ...sizes([text, ...style]), script: scriptIn(text) }));
};

const consoleWeight = (): Weight => {
  const files = [...readPageFiles()];
  const scripts = files.filter(([name]) => name.endsWith('.ts')).map(([, { body }]) => body);
  return {
    page: '/ (console)',
    ...sizes(files.map(([, { body }]) => body)),
    script: sizes(scripts).bytes,
  };
};

const sizes = (texts: readonly string[]) => ({
  bytes: sum(texts.map((text) => Buffer.byteLength(text))),
  zipped: sum(texts.map((text) => gzipSync(text).length)),
});

/** Elements and addresses with scripts, as bytes of the page: it has none. */
const scriptIn = (html: string): number =>
  sum(
    [...html.matchAll(/<script[\s\S]*?<\/script>| on\w+="[^"]*"|"javascript:[^"]*"/g)].map(
      ([all]) => all.length,
    ),
  );

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** The table of test/bench/README.md. */
export const weightsTable = (all: readonly Weight[]): string => {
  const cells = [
    ['page', 'bytes', 'zipped', 'script'],
    ...all.map(({ page, ...numbers }) => [
      `\`${page}\``,
      ...Object.values(numbers).map((one) => one.toLocaleString('en-GB')),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...rows] = cells.map(lineOf);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows].join('\n');
};
