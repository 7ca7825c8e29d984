import Table from 'cli-table3';
import { visible } from '../terminal.ts';

/** A small table with a header row. */
export const tableOf = (head: string[], rows: string[][]): string => {
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => row.map(visible)));
  return `${table.toString()}\n`;
};

/** Named facts, a line for each line of a value. */
export const factsOf = (facts: [string, string][]): string => {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts
    .map(
      ([name, value]) =>
        `${name.padEnd(width)}  ${visible(value).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}\n`,
    )
    .join('');
};
