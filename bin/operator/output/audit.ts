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

/** The whole ARN is in the JSON: here what comes behind the account. */
const whoText = (who: string, caller: string | undefined): string =>
  caller === undefined ? who : `${who}\n${caller.split(':').slice(5).join(':') || caller}`;

const endText = (count: number, next: string | undefined): string => {
  if (next !== undefined) return `Older ones: the same command with --next '${next}'\n`;
  return count === 0 ? 'There is no such record.\n' : '';
};

const argumentsText = (given: Record<string, unknown>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
