import { z } from 'zod';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import { jsonFault } from '../../../functions/shared/domain/transaction/json-limits.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import {
  elementNames,
  type JsonObject,
  type JsonValue,
  ownPropertyNames,
  type Transaction,
  vehicleIdentifiers,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { type ImportLine, lineSchema } from './import-schema.ts';

/** WR-4: a transaction stays under 100 kB as JSON, and the last 10 kB are kept for payments. */
const maxBytes = 100_000;
const maxBytesBesidePayments = 90_000;

/** Identifiers become keys of the listing, and a key holds 2,048 bytes. */
const maxIdentifierBytes = 512;

/** One line of an import file as a new transaction, or the reason why it is refused (RUN-4, RUN-6). */
export const parseImportLine = (text: string, now: Date): Outcome<NewTransaction, string> => {
  const json = readJson(text);
  if (!json.ok) return json;
  const fault = jsonFault(json.value);
  if (fault) return no(fault);
  const line = lineSchema.safeParse(json.value, { reportInput: true });
  if (!line.success) return no(line.error.issues.map(describe).join('; '));
  const transaction = toTransaction(line.data, json.value as JsonObject);
  const limit = limitFault(transaction);
  return limit ? no(limit) : { ok: true, value: imported(transaction, createdAtMs(line.data, now), now) };
};

const no = (reason: string) => ({ ok: false, reason }) as const;

const readJson = (text: string): Outcome<JsonValue, string> => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return no('is not JSON');
  }
};

/** zod's finding as a phrase that follows the line number. */
const describe = (issue: z.core.$ZodIssue): string => {
  const where = issue.path.length > 0 ? z.core.toDotPath(issue.path) : 'the line';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${at(issue, key)} is unknown`).join('; ');
  if (issue.input === undefined) return `${where} is missing`;
  if (issue.code === 'invalid_value') return `${where} is not one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return `${where} is not ${withArticle(issue.expected)}`;
  return `${where} ${issue.message}`;
};

/** A name that nobody knows may hold anything, and be long. */
const at = ({ path }: z.core.$ZodIssue, key: string) =>
  z.core.toDotPath([...path, key.length > 80 ? `${key.slice(0, 77)}...` : key]);

const withArticle = (type: string) => {
  if (type === 'int' || type === 'number') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/** In declaration order, without what is absent; elements as they came, their members in the order of the line. */
const toTransaction = (line: ImportLine, asItCame: JsonObject): Transaction => {
  const known = { ...line, editable: line.editable ?? line.status === 0 };
  const own = ownPropertyNames.map((name) => [name, known[name]]);
  const elements = elementNames
    .filter((name) => line[name] !== undefined && line[name] !== null)
    .map((name) => [name, name === 'ndMeta' ? line.ndMeta : asItCame[name]]);
  return Object.fromEntries([...own, ...elements]) as Transaction;
};

const limitFault = (transaction: Transaction) => {
  const { payments, ...others } = transaction;
  if (bytes(transaction) > maxBytes) return 'is larger than 100 kB';
  if (bytes(others) > maxBytesBesidePayments) return 'is larger than 90 kB beside its payments';
  const tooLong = Object.entries(vehicleIdentifiers(transaction)).find(
    ([, value]) => Buffer.byteLength(value ?? '') > maxIdentifierBytes,
  );
  return tooLong && `vehicle.identifiers.${tooLong[0]} is longer than ${maxIdentifierBytes} bytes`;
};

const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value));

const createdAtMs = ({ createdAt }: ImportLine, now: Date) => {
  if (createdAt === undefined) return now.getTime();
  return typeof createdAt === 'number' ? createdAt * 1000 : Date.parse(createdAt);
};

/**
 * An imported transaction tells nobody: its version is quiet (EV-10). A file may say that it comes from a time that is still to
 * come; the times of its changes rise from that of the first one, so that this is never later than now, or none would rest.
 */
const imported = (transaction: Transaction, createdAtMs: number, now: Date): NewTransaction => ({
  transaction,
  version: 1,
  elementVersions: Object.fromEntries(
    versionedParts.map((part) => [part, part === 'own' || transaction[part] !== undefined ? 1 : 0]),
  ) as NewTransaction['elementVersions'],
  createdAtMs,
  updatedAtMs: Math.min(createdAtMs, now.getTime()),
  quietVersion: 1,
});
