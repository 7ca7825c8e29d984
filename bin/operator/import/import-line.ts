import type { z } from 'zod';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import {
  inexactNumber,
  jsonFault,
  printablePath,
} from '../../../functions/shared/domain/transaction/json-limits.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import { numericIdIn } from '../../../functions/shared/domain/transaction/payment.ts';
import {
  type ClosedElementName,
  closedElements,
} from '../../../functions/shared/domain/transaction/shape.ts';
import {
  bytesBesidePayments,
  bytesText,
  largestTransactionBytes,
} from '../../../functions/shared/domain/transaction/size.ts';
import { parseStrictJson } from '../../../functions/shared/domain/transaction/strict-json.ts';
import {
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownPropertyNames,
  type Transaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { issuesOf } from '../../../functions/shared/schema/validate.ts';
import { type ImportLine, lineSchema } from './import-schema.ts';

/**
 * The transaction of a line, with its payments as given. `saysWhen`: the line has a `createdAt`. `cleared`: its zero dates,
 * which became null.
 */
export type ImportedLine = { created: NewTransaction; saysWhen: boolean; cleared: number };

/** Parses one line of an import file into a new transaction, or says why it is refused (RUN-6). */
export const parseImportLine = (text: string, now: Date): Outcome<ImportedLine, string> => {
  const json = readJson(text);
  if (!json.ok) return json;
  const fault = jsonFault(json.value);
  if (fault) return no(fault);
  const { line: asItCame, cleared } = clearZeroDates(json.value);
  const line = lineSchema.safeParse(asItCame, { reportInput: true });
  if (!line.success) return no(issuesOf(line.error).map(describe).join('; '));
  const transaction = toTransaction(line.data, asItCame);
  const limit = limitFault(transaction) ?? numberFault(transaction);
  if (limit) return no(limit);
  const created = imported(transaction, createdAtMs(line.data, now), now);
  return { ok: true, value: { created, saysWhen: line.data.createdAt !== undefined, cleared } };
};

const no = (reason: string) => ({ ok: false, reason }) as const;

/** Uses the parser of the APIs: two parsers could disagree which of two equal names counts. */
const readJson = (text: string): Outcome<JsonObject, string> => {
  const parsed = parseStrictJson(Buffer.from(text));
  if (parsed.ok) return parsed;
  if (parsed.reason === 'repeated-name') return no(`${printablePath(parsed.path)} appears twice`);
  if (parsed.reason === 'inexact-number') return no(`${printablePath(parsed.path)} ${inexactNumber}`);
  return no(parsed.reason === 'not-an-object' ? 'the line is not an object' : 'is not JSON');
};

/** MySQL writes it where there is no date, in columns of dates and of times. */
const zeroDate = /^0000-00-00(?: 00:00:00(?:\.0+)?)?$/;

/** The line with null for each zero date of its closed elements, and the number of these dates (RUN-6). */
const clearZeroDates = (line: JsonObject): { line: JsonObject; cleared: number } => {
  let cleared = 0;
  const clear = (members: { readonly [member: string]: string }, element: JsonValue): JsonValue => {
    if (Array.isArray(element)) return element.map((one) => clear(members, one));
    if (!isJsonObject(element)) return element;
    return mapMembers(element, (name, value) => {
      const isDate = Object.hasOwn(members, name) && (members[name] === 'day' || members[name] === 'time');
      if (!isDate || typeof value !== 'string' || !zeroDate.test(value)) return value;
      cleared += 1;
      return null;
    });
  };
  const clearedLine = mapMembers(line, (name, value) =>
    isClosed(name) ? clear(closedElements[name], value) : value,
  );
  return { line: clearedLine, cleared };
};

const isClosed = (name: string): name is ClosedElementName => Object.hasOwn(closedElements, name);

const mapMembers = (object: JsonObject, toValue: (name: string, value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toValue(name, value)]));

/** A zod issue as a phrase that follows the line number, also where it is in the words of a write. */
const describe = (issue: z.core.$ZodIssue): string => {
  const where = issue.path.length > 0 ? pathOf(issue) : 'the line';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${pathOf(issue, key)} is unknown`).join('; ');
  if (issue.input === undefined) return `${where} is missing`;
  if (issue.code === 'invalid_value') return `${where} is not one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return `${where} is not ${withArticle(issue.expected)}`;
  return `${where} ${issue.message.replace(/^The member must be (.*)\.$/, 'is not $1')}`;
};

/** The path as the APIs write it in a `field` (ERR-1). */
const pathOf = ({ path }: z.core.$ZodIssue, ...inner: string[]) =>
  printablePath([...path, ...inner].join('.'));

const withArticle = (type: string) => {
  if (type === 'int' || type === 'number') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/** Sorts properties and elements by declaration, without absent elements. Members of an element keep their order. */
const toTransaction = (line: ImportLine, asItCame: JsonObject): Transaction => {
  const known = { ...line, editable: line.editable ?? line.status === 0 };
  const own = ownPropertyNames.map((name) => [name, known[name]]);
  const elements = elementNames
    .filter((name) => line[name] !== undefined && line[name] !== null)
    .map((name) => [name, name === 'ndMeta' ? line.ndMeta : asItCame[name]]);
  return Object.fromEntries([...own, ...elements]) as Transaction;
};

/** The size of payments is checked later, when their records are complete (WR-4). */
const limitFault = (transaction: Transaction) =>
  bytesBesidePayments(transaction) > largestTransactionBytes
    ? `is larger than ${bytesText(largestTransactionBytes)} beside its payments`
    : undefined;

/** Payment ids are unique within a line, and all payments name the same `transaction_id` (ID-2). */
const numberFault = ({ payments = [] }: Transaction) => {
  const known = new Set<JsonValue>();
  const number = numericIdIn(payments);
  for (const [index, { id, transaction_id }] of payments.entries()) {
    if (typeof id === 'number' && known.has(id)) return `payments.${index}.id ${id} appears twice`;
    known.add(id ?? null);
    if ((transaction_id ?? number) !== number)
      return `payments.${index}.transaction_id ${transaction_id} is not the ${number} of another payment`;
  }
  return undefined;
};

const createdAtMs = ({ createdAt }: ImportLine, now: Date) => {
  if (createdAt === undefined) return now.getTime();
  return typeof createdAt === 'number' ? createdAt * 1000 : Date.parse(createdAt);
};

/**
 * An imported transaction causes no event: partners are notified from its second version on (EV-10). `createdAtMs` may lie in
 * the future, `updatedAtMs` never does: the transaction would not become dormant after a change.
 */
const imported = (transaction: Transaction, createdAtMs: number, now: Date): NewTransaction => ({
  transaction,
  version: 1,
  elementVersions: Object.fromEntries(
    versionedParts.map((part) => [part, part === 'own' || transaction[part] !== undefined ? 1 : 0]),
  ) as NewTransaction['elementVersions'],
  createdAtMs,
  updatedAtMs: Math.min(createdAtMs, now.getTime()),
  notifyFromVersion: 2,
});
