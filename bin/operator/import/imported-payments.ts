import { changedParts } from '../../../functions/shared/domain/transaction/next-state.ts';
import {
  completePayment,
  givenMembers,
  givenTo,
  numericIdIn,
} from '../../../functions/shared/domain/transaction/payment.ts';
import {
  bytesText,
  largestPaymentsBytes,
  paymentsBytesOf,
} from '../../../functions/shared/domain/transaction/size.ts';
import type {
  JsonObject,
  JsonValue,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { RandomBytes } from '../../../functions/shared/runtime/random-text.ts';
import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import type { TransactionWalk } from '../store/transactions/walk.ts';
import type { ImportedLine } from './import-line.ts';

export type PaymentDeps = {
  transactions: Pick<TransactionWalk, 'paymentNumbers'>;
  ids: NumericIds;
  random: RandomBytes;
  now: Clock;
};

/** A line with its number in the file. */
export type NumberedLine = ImportedLine & { number: number };
/** A line that is not loaded, and the reason. */
export type RefusedLine = { line: number; reason: string };

/** Checks that payment ids are unique (ID-2), completes the records (SHAPE-1), and checks their size (WR-4). */
export type ImportedPayments = {
  complete: (lines: readonly NumberedLine[]) => Promise<{ lines: NumberedLine[]; refused: RefusedLine[] }>;
};

/** Keeps the ids of one import, so that a line may not repeat an earlier one's. */
export const createImportedPayments = (deps: PaymentDeps): ImportedPayments => {
  const whyTaken = createIdRegister(deps);
  return {
    complete: async (lines) => {
      const taken = await whyTaken(lines);
      const refused = lines.flatMap((line, index) => refusalOf(line, taken[index]));
      const others = lines.filter((_, index) => taken[index] === undefined);
      const completed = await completeAll(others, deps);
      const tooLarge = completed.flatMap(sizeRefusalOf);
      return {
        lines: completed.filter(({ number }) => !tooLarge.some(({ line }) => line === number)),
        refused: [...refused, ...tooLarge],
      };
    },
  };
};

const refusalOf = ({ number }: NumberedLine, reason: string | undefined): RefusedLine[] =>
  reason === undefined ? [] : [{ line: number, reason }];

const sizeRefusalOf = ({ number, created: { transaction } }: NumberedLine): RefusedLine[] =>
  paymentsBytesOf(transaction) > largestPaymentsBytes
    ? [{ line: number, reason: `payments are larger than ${bytesText(largestPaymentsBytes)}` }]
    : [];

const paymentsOf = ({ created }: ImportedLine): JsonObject[] => created.transaction.payments ?? [];

/** The members with numeric ids, and their names in refusals. Both share one counter; each is unique by itself. */
const numbers = { id: 'payment id', transaction_id: 'transaction_id' } as const;
const numberNames = Object.keys(numbers) as (keyof typeof numbers)[];

const numbersIn = (payment: JsonObject): number[] => numberNames.map((name) => Number(payment[name] ?? 0));

/**
 * Refuses a line with a number of another transaction. The counter is raised first, so that the APIs give only larger numbers
 * meanwhile. The table is scanned only for numbers that may have been given before.
 */
const createIdRegister = ({ transactions, ids }: PaymentDeps) => {
  const owners = { id: new Map<JsonValue, string>(), transaction_id: new Map<JsonValue, string>() };
  let knownUpTo = 0;

  const learn = async (lines: readonly NumberedLine[]) => {
    const brought = lines.flatMap(paymentsOf).flatMap(numbersIn);
    const largest = brought.reduce((max, number) => Math.max(max, number), 0);
    if (largest === 0) return;
    const former = await ids.atLeast(largest);
    if (brought.some((number) => number > knownUpTo && number <= former)) await readAll();
    knownUpTo = Math.max(knownUpTo, largest);
  };

  const readAll = async () => {
    for await (const { uuid, payments } of transactions.paymentNumbers()) own(uuid, payments);
  };

  const own = (uuid: string, payments: readonly JsonObject[]) => {
    for (const payment of payments)
      for (const name of numberNames) if (isNumber(payment[name])) owners[name].set(payment[name], uuid);
  };

  const whyRefused = (line: NumberedLine): string | undefined => {
    const { uuid } = line.created.transaction;
    for (const payment of paymentsOf(line))
      for (const name of numberNames)
        if ((owners[name].get(payment[name] ?? null) ?? uuid) !== uuid)
          return `the ${numbers[name]} ${payment[name]} is that of another transaction`;
    own(uuid, paymentsOf(line));
    return undefined;
  };

  return async (lines: readonly NumberedLine[]) => {
    await learn(lines);
    return lines.map(whyRefused);
  };
};

/** `created_by` and `updated_by` of the records that the import completes (V2-5). */
const operation = 'v2/transaction/import';

/** Gives absent members their values: fresh numbers, a hash, the time and the operation of the import. */
const completeAll = async (
  lines: readonly NumberedLine[],
  { ids, random, now }: PaymentDeps,
): Promise<NumberedLine[]> => {
  const missing = lines.reduce((sum, line) => sum + missingIn(paymentsOf(line)), 0);
  let next = missing > 0 ? await ids.next(missing) : 0;
  const fresh = () => next++;
  const completed = (payments: readonly JsonObject[]) => {
    const transactionId = numericIdIn(payments) ?? fresh();
    return payments.map((said) => {
      const id = isNumber(said.id) ? said.id : fresh();
      const hash = Buffer.from(random(20)).toString('hex');
      return completePayment(said, givenMembers({ id, transactionId, hash, operation }, now()));
    });
  };
  return lines.map((line) =>
    paymentsOf(line).length > 0 ? withPayments(line, completed(paymentsOf(line))) : line,
  );
};

const missingIn = (payments: readonly JsonObject[]): number =>
  payments.filter(({ id }) => !isNumber(id)).length +
  (payments.length > 0 && numericIdIn(payments) === undefined ? 1 : 0);

const isNumber = (id: JsonValue | undefined): id is number => typeof id === 'number';

const withPayments = (line: NumberedLine, payments: JsonObject[]): NumberedLine => ({
  ...line,
  created: { ...line.created, transaction: { ...line.created.transaction, payments } },
});

/** Whether a stored transaction differs from a line. Members that the import had completed do not count (RUN-6). */
export const differs = (
  { created: { transaction, createdAtMs }, saysWhen }: ImportedLine,
  stored: StoredTransaction,
): boolean => {
  const records = stored.transaction.payments ?? [];
  const payments = transaction.payments?.map((said, index) =>
    completePayment(said, givenTo(records[index] ?? {})),
  );
  const imported = payments ? { ...transaction, payments } : transaction;
  const isMadeThen = !saysWhen || createdAtMs === stored.createdAtMs;
  return !isMadeThen || changedParts(stored.transaction, imported).length > 0;
};
