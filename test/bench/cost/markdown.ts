/** Rows as a Markdown table with even columns; all but the first are right-aligned where `numbers` says so. */
export const markdownTable = (head: string[], rows: string[][], numbers = false): string => {
  const widths = head.map((title, column) =>
    Math.max(3, ...[[title], ...rows.map((row) => [row[column] ?? ''])].flat().map((cell) => cell.length)),
  );
  const rightAligned = (column: number) => numbers && column > 0;
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, rightAligned(column))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    rightAligned(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
};

const pad = (cell: string, width: number, right: boolean) =>
  right ? cell.padStart(width) : cell.padEnd(width);

const widest = 120;

/** Text without its line breaks, in lines of the documents' width; those after the first begin with `indent`. Code is not broken. */
export const paragraph = (text: string, indent = ''): string => {
  const lines = [''];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length + 1 > widest) lines.push(indent + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
};
