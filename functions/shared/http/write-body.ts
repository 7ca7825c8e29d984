import {
  type ChangeKind,
  type TransactionChange,
  toChange,
  withoutRemovals,
  writableElements,
} from '../domain/transaction/change.ts';
import type { PaymentFacts } from '../domain/transaction/payment.ts';
import { largestOfSessionBytes } from '../domain/transaction/size.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import { paymentSchema } from '../schema/elements.ts';
import { newTransactionSchema, transactionSchema } from '../schema/transaction.ts';
import { schemaErrors } from '../schema/validate.ts';
import { hasBody, type JsonBody, readJsonBody } from './json-body.ts';
import type { Problem } from './problem.ts';
import type { HttpEvent } from './request.ts';
import { bodyProblem, invalidMembers } from './request-problems.ts';

/** A change with the bytes of its request, or the problem for its caller. */
export type ChangeOutcome =
  | { ok: true; value: { change: TransactionChange; bytes: Buffer } }
  | { ok: false; problem: Problem };

/** The change that a PATCH or PUT requests, or why it is refused (V1-6). */
export const readChange = (event: HttpEvent): ChangeOutcome => {
  const body = readJsonBody(event);
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  return validate(event.httpMethod === 'PATCH' ? 'merge' : 'replace', body.value);
};

/** The content of a session's new transaction. A POST without a body has none (V1-6). */
export const readNewTransaction = (event: HttpEvent): ChangeOutcome => {
  const body = hasBody(event) ? readJsonBody(event, largestOfSessionBytes) : noBody;
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  return validate('replace', body.value, newTransactionSchema);
};

const noBody = { ok: true, value: { value: {}, bytes: Buffer.alloc(0) } } as const;

const validate = (
  kind: ChangeKind,
  { value, bytes }: JsonBody,
  schema = transactionSchema,
): ChangeOutcome => {
  const errors = schemaErrors(schema, kind === 'merge' ? withoutInnerRemovals(value) : value);
  if (errors.length > 0) return { ok: false, problem: invalidMembers(errors) };
  return { ok: true, value: { change: toChange(kind, value), bytes } };
};

/** A member that a merge removes needs no type. */
const withoutInnerRemovals = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isElement(name) ? withoutRemovals(value) : value]),
  );

const isElement = (name: string) => (writableElements as string[]).includes(name);

export type PaymentBody = { uuid: string; facts: PaymentFacts; bytes: Buffer };

/** The payment in a body and its transaction, or why it is refused (V2-3). */
export const readPayment = (
  event: HttpEvent,
): { ok: true; value: PaymentBody } | { ok: false; problem: Problem } => {
  const body = readJsonBody(event);
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  const errors = schemaErrors(paymentSchema, body.value.value);
  if (errors.length > 0) return { ok: false, problem: invalidMembers(errors) };
  const { transaction, ...facts } = body.value.value as JsonObject & PaymentFacts;
  return { ok: true, value: { uuid: String(transaction), facts, bytes: body.value.bytes } };
};
