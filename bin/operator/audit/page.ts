import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import type { AuditRecords, ListedRecord } from '../store/audit-records.ts';

/** Which records to list. */
export type AuditFilter = {
  /** The person, or who the credentials were of. */
  by?: string;
  /** `partner disable`, or a group of commands: `partner`. */
  command?: string;
  /** The names that the arguments may have for the partner. */
  partner?: readonly string[];
};

/** One page of records, the newest first. `next` is where to go on, and there may be nothing more. */
export type AuditPage = { records: ListedRecord[]; next?: string };

/** A page costs at most two Queries for each of these, however old or seldom what it asks for is. */
const mostLooks = 20;
const recordsPerLook = 100;

/** Reads one page: until it is full, or so much was looked at that a person should be asked whether to go on. */
export const auditPage = async (
  asked: { filter: AuditFilter; since: string; below: string; limit: number },
  { lookBelow }: AuditRecords,
): Promise<AuditPage> => {
  const records: ListedRecord[] = [];
  let next: string | undefined = asked.below;
  for (let looks = 0; next !== undefined && looks < mostLooks; looks += 1) {
    const seen: AuditPage = await lookBelow({ since: asked.since, below: next, limit: recordsPerLook });
    const wanted = seen.records.filter((record) => matches(record, asked.filter));
    records.push(...wanted.slice(0, asked.limit - records.length));
    if (records.length === asked.limit) return { records, ...afterLast(records.at(-1), seen) };
    next = seen.next;
  }
  return { records, ...(next !== undefined && { next }) };
};

/** The last record of a page may be the last of all that was looked at. */
const afterLast = (last: ListedRecord | undefined, seen: AuditPage): { next?: string } => {
  const next = last?.id === seen.records.at(-1)?.id ? seen.next : last?.id;
  return next === undefined ? {} : { next };
};

const matches = (record: AuditRecord, { by, command, partner }: AuditFilter): boolean =>
  (by === undefined || isBy(record, by)) &&
  (command === undefined || record.command === command || record.command.startsWith(`${command} `)) &&
  (partner === undefined || isAbout(record, partner));

/** A session of a role ends with the name of the session, a user's ARN with the user's. */
const isBy = ({ who, caller }: AuditRecord, by: string): boolean =>
  who === by || caller === by || caller?.split('/').at(-1) === by;

const isAbout = ({ command, arguments: given }: AuditRecord, names: readonly string[]): boolean =>
  /^(partner|events) /.test(command) &&
  [given.name, given.clientId].some((one) => names.some((name) => name === one));
