import type { PaymentFacts } from '../domain/transaction/payment.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import { schemaErrors } from '../schema/judge.ts';
import { paymentSchema } from '../schema/payment.ts';
import { bodyProblem, invalidMembers } from './body-problem.ts';
import { readJsonBody } from './json-body.ts';
import type { Problem } from './problem.ts';
import type { HttpEvent } from './request.ts';

export type PaymentBody = { uuid: string; facts: PaymentFacts; bytes: Buffer };

/** The payment that a body describes, and the transaction that it is of, or why there is none (V2-3). */
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
