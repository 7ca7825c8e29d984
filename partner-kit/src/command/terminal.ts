/** Output of a command. */
export type Terminal = {
  /** Prints the result, and nothing else. */
  print: (text: string) => void;
  /** Prints progress and warnings, separate from the result. */
  note: (text: string) => void;
};

/** Replaces control characters: names come from data, and could change what the terminal shows. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));

/** Rows with aligned columns. The last column may have any length. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const shown = rows.map((row) => row.map((cell) => visible(cell).replaceAll('\n', ' ')));
  const widthOf = (index: number) => Math.max(...shown.map((row) => row[index]?.length ?? 0));
  const widths = (shown[0] ?? []).map((_, index) => widthOf(index));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('');
};

/** A record as text: a line for each member, and nested members below its name. */
export const recordText = (record: object, indent = ''): string => {
  const entries = Object.entries(record).map(([name, value]) => [wordsOf(name), value] as const);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => {
      const below = partsText(value, `${indent}  `);
      return below === undefined
        ? `${indent}${name.padEnd(width)}  ${scalarText(value)}\n`
        : `${indent}${name}\n${below}`;
    })
    .join('');
};

/** For a non-empty object or list. Each item of a list begins with its number. */
const partsText = (value: unknown, indent: string): string | undefined => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined;
  const named = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item]) : undefined;
  return recordText(named ? Object.fromEntries(named) : value, indent);
};

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\n]/g, ' ')
    .toLowerCase();

const scalarText = (value: unknown): string => {
  if (value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? 'none' : visible(String(value)).replaceAll('\n', ' ');
};

/** Why a webhook fails, as a sentence. The service may add reasons. */
export const reasonText = (reason: string): string =>
  reasons[reason] ??
  reason
    .replace(/^HTTP_/, 'it answered ')
    .replaceAll('_', ' ')
    .toLowerCase();

const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'no answer in time',
  DNS: 'its name has no address',
  NO_CONNECTION: 'no connection',
  REDIRECT: 'it redirects',
  ADDRESS_NOT_PUBLIC: 'its address is not public',
  ANSWER_TOO_LARGE: 'its answer is too large',
};

/** A time of the API, in whole seconds. */
export const timeText = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

export const ageText = (days: number): string => {
  if (days === 0) return 'less than a day old';
  return days === 1 ? 'a day old' : `${days} days old`;
};
