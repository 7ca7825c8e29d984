import { changedParts } from '../../../functions/shared/domain/transaction/next-state.ts';
import {
  completePayment,
  givenMembers,
  givenTo,
  numericIdIn,
} from '../../../functions/shared/domain/transaction/payment.ts';
import { largestPaymentsBytes, paymentsBytesOf } from '../../../functions/shared/domain/transaction/size.ts';
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

/** What payments of an import are judged and completed with. */
export type PaymentDeps = {
  transactions: Pick<TransactionWalk, 'paymentIds'>;
  ids: NumericIds;
  random: RandomBytes;
  now: Clock;
};

/** A line with its number in the file. */
export type NumberedLine = ImportedLine & { number: number };
/** A line that is not loaded, and why. */
export type RefusedLine = { line: number; reason: string };

/** The payments of imported lines: their ids are unique (ID-2), their records whole (SHAPE-1), and they fit (WR-4). */
export type ImportedPayments = {
  complete: (lines: readonly NumberedLine[]) => Promise<{ lines: NumberedLine[]; refused: RefusedLine[] }>;
};

/** Those of one import, which knows the ids that its earlier lines brought. */
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
    ? [{ line: number, reason: `payments are larger than ${largestPaymentsBytes / 1000} kB` }]
    : [];

const paymentsOf = ({ created }: ImportedLine): JsonObject[] => created.transaction.payments ?? [];

/**
 * Says of each line whether one of its payment ids is another transaction's. The counter is raised first, so that what the
 * APIs give meanwhile lies behind it. The table is read only for ids that may have been given before.
 */
const createIdRegister = ({ transactions, ids }: PaymentDeps) => {
  const owners = new Map<number, string>();
  let knownUpTo = 0;

  const learn = async (lines: readonly NumberedLine[]) => {
    const payments = lines.flatMap(paymentsOf);
    const largest = payments.reduce(largestIn, 0);
    if (largest === 0) return;
    const former = await ids.atLeast(largest);
    if (payments.some(({ id }) => Number(id ?? 0) > knownUpTo && Number(id) <= former)) await readAll();
    knownUpTo = Math.max(knownUpTo, largest);
  };

  const readAll = async () => {
    for await (const stored of transactions.paymentIds())
      for (const id of stored.ids) owners.set(id, stored.uuid);
  };

  const whyRefused = (line: NumberedLine): string | undefined => {
    const { uuid } = line.created.transaction;
    const known = paymentsOf(line).flatMap(({ id }) => (isNumber(id) ? [id] : []));
    const foreign = known.find((id) => (owners.get(id) ?? uuid) !== uuid);
    if (foreign !== undefined) return `the payment id ${foreign} is that of another transaction`;
    for (const id of known) owners.set(id, uuid);
    return undefined;
  };

  return async (lines: readonly NumberedLine[]) => {
    await learn(lines);
    return lines.map(whyRefused);
  };
};

const largestIn = (largest: number, { id, transaction_id }: JsonObject) =>
  Math.max(largest, Number(id ?? 0), Number(transaction_id ?? 0));

/** The name of the operation in the records that it completes (V2-5). */
const operation = 'v2/transaction/import';

/** What no line says about its payments is given: fresh numbers, a hash, the time and the operation of the import. */
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

/** Whether a stored transaction says something else than a line. What the line does not say is as it was given (RUN-6). */
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
