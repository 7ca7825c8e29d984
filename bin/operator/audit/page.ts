import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import type { AuditRecords, ListedRecord } from '../store/audit-records.ts';

/** Which records to list. */
export type AuditFilter = {
  /** The operator's user name, or the ARN of the credentials. */
  by?: string;
  /** `partner disable`, or a group of commands: `partner`. */
  command?: string;
  /** The partner's name and client id: a record may hold either. */
  partner?: readonly string[];
};

/** One page of records, the newest first. `next` is where the following page begins, which may be empty. */
export type AuditPage = { records: ListedRecord[]; next?: string };

/** Bounds the cost of a page, at two Queries for each read, also where hardly any record matches. */
const mostReads = 20;
const recordsPerRead = 100;

/** Reads one page. It ends when it is full, or after 2,000 records or 20 months. */
export const auditPage = async (
  asked: { filter: AuditFilter; since: string; below: string; limit: number },
  { readBelow }: AuditRecords,
): Promise<AuditPage> => {
  const records: ListedRecord[] = [];
  let next: string | undefined = asked.below;
  for (let reads = 0; next !== undefined && reads < mostReads; reads += 1) {
    const seen: AuditPage = await readBelow({ since: asked.since, below: next, limit: recordsPerRead });
    const wanted = seen.records.filter((record) => matches(record, asked.filter));
    records.push(...wanted.slice(0, asked.limit - records.length));
    if (records.length === asked.limit) return { records, ...afterLast(records.at(-1), seen) };
    next = seen.next;
  }
  return { records, ...(next !== undefined && { next }) };
};

/** Where the page took every record of the last read, the following page begins after that read. */
const afterLast = (last: ListedRecord | undefined, seen: AuditPage): { next?: string } => {
  const next = last?.id === seen.records.at(-1)?.id ? seen.next : last?.id;
  return next === undefined ? {} : { next };
};

const matches = (record: AuditRecord, { by, command, partner }: AuditFilter): boolean =>
  (by === undefined || isBy(record, by)) &&
  (command === undefined || record.command === command || record.command.startsWith(`${command} `)) &&
  (partner === undefined || isAbout(record, partner));

/** The last part of an ARN is the session name of a role, or the name of a user. */
const isBy = ({ who, caller }: AuditRecord, by: string): boolean =>
  who === by || caller === by || caller?.split('/').at(-1) === by;

const isAbout = ({ command, arguments: given }: AuditRecord, names: readonly string[]): boolean =>
  /^(partner|events) /.test(command) &&
  [given.name, given.clientId].some((value) => names.some((name) => name === value));
