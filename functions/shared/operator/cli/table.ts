import Table from 'cli-table3';

/** Cells come from data: control characters would let it repaint the terminal (TH-21). */
const visible = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));

/** A small table for people: a head and rows. */
export const tableOf = (head: string[], rows: string[][]): string => {
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => row.map(visible)));
  return `${table.toString()}\n`;
};

/** One thing's facts, a line each. */
export const factsOf = (facts: [string, string][]): string => {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts
    .map(
      ([name, value]) =>
        `${name.padEnd(width)}  ${visible(value).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}\n`,
    )
    .join('');
};
