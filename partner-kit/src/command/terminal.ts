/** How a command talks to whoever runs it. */
export type Terminal = {
  /** Prints the result, and nothing else. */
  print: (text: string) => void;
  /** Prints progress and warnings, apart from the result. */
  note: (text: string) => void;
};

/** Text with its control characters replaced: names come from data, and could otherwise repaint the terminal. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));

/** Rows with aligned columns; the last one is as long as it likes. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const shown = rows.map((row) => row.map((cell) => visible(cell).replaceAll('\n', ' ')));
  const widthOf = (index: number) => Math.max(...shown.map((row) => row[index]?.length ?? 0));
  const widths = (shown[0] ?? []).map((_, index) => widthOf(index));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
};

/** A time of the API, in whole seconds. */
export const timeText = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

export const ageText = (days: number): string => {
  if (days === 0) return 'less than a day old';
  return days === 1 ? 'a day old' : `${days} days old`;
};
