import type { AuditPage } from '../audit/page.ts';
import { tableOf } from './table.ts';
import { stampText } from './time.ts';

/** The table of `audit list`. */
export const auditText = ({ records, next }: AuditPage): string => {
  const rows = records.map(({ atMs, who, caller, command, arguments: given, isDone }) => [
    stampText(atMs).slice(0, 19),
    whoText(who, caller),
    isDone ? command : `${command}\nUNFINISHED`,
    argumentsText(given),
  ]);
  const table = rows.length > 0 ? tableOf(['time (UTC)', 'who', 'command', 'with'], rows) : '';
  return `${table}${endText(records.length, next)}`;
};

/** Shows the part of the ARN behind the account; the JSON has the whole ARN. */
const whoText = (who: string, caller: string | undefined): string =>
  caller === undefined ? who : `${who}\n${caller.split(':').slice(5).join(':') || caller}`;

const endText = (count: number, next: string | undefined): string => {
  if (next !== undefined) return `Older ones: the same command with --next '${next}'\n`;
  return count === 0 ? 'There is no such record.\n' : '';
};

/** The name first, the others in alphabetical order. Lines are cut to fit a terminal; the JSON has them whole. */
const argumentsText = (given: Record<string, unknown>): string =>
  Object.entries(given)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
    .flatMap(([name, value]) => linesOf(value).map((line, index) => `${index === 0 ? name : ' -'} ${line}`))
    .map((line) => (line.length > widest ? `${line.slice(0, widest - 1)}…` : line))
    .join('\n');

const widest = 64;

const rankOf = (name: string) => (name === 'name' ? 0 : 1);

/** A line for each part of a list: `group=north, location=48c81f360007…`. */
const linesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.length > 0 ? value.flatMap(linesOf) : ['none'];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  const parts = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [parts.map(([name, part]) => `${name}=${shortened(part)}`).join(', ')];
};

/** Owners are often hashes of 40 digits, too long for a table. */
const shortened = (part: unknown): string => {
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  return text.length > 16 ? `${text.slice(0, 12)}…` : text;
};
