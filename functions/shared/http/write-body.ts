import { type Change, type ChangeKind, toChange } from '../domain/transaction/change.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import { withoutRemovals } from '../domain/write/merge.ts';
import { writableElements } from '../domain/write/writable.ts';
import { schemaErrors } from '../schema/judge.ts';
import { newTransactionSchema, transactionSchema } from '../schema/transaction.ts';
import { bodyProblem, invalidMembers } from './body-problem.ts';
import { hasBody, type JsonBody, readJsonBody } from './json-body.ts';
import type { Problem } from './problem.ts';
import type { HttpEvent } from './request.ts';

export type ChangeOutcome =
  | { ok: true; value: { change: Change; bytes: Buffer } }
  | { ok: false; problem: Problem };

/** The change that a PATCH or PUT asks for, or why there is none (V1-6, V2-2). */
export const readChange = (event: HttpEvent): ChangeOutcome => {
  const body = readJsonBody(event);
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  return judge(event.httpMethod === 'PATCH' ? 'merge' : 'replace', body.value);
};

/** What a new transaction is given; a POST without a body gives nothing (V1-6). */
export const readNewTransaction = (event: HttpEvent): ChangeOutcome => {
  const body = hasBody(event) ? readJsonBody(event) : noBody;
  if (!body.ok) return { ok: false, problem: bodyProblem(body.fault) };
  return judge('replace', body.value, newTransactionSchema);
};

const noBody = { ok: true, value: { value: {}, bytes: Buffer.alloc(0) } } as const;

const judge = (kind: ChangeKind, { value, bytes }: JsonBody, schema = transactionSchema): ChangeOutcome => {
  const errors = schemaErrors(schema, kind === 'merge' ? withoutInnerRemovals(value) : value);
  if (errors.length > 0) return { ok: false, problem: invalidMembers(errors) };
  return { ok: true, value: { change: toChange(kind, value), bytes } };
};

/** A member of an element that a merge removes needs no type. */
const withoutInnerRemovals = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isElement(name) ? withoutRemovals(value) : value]),
  );

const isElement = (name: string) => (writableElements as string[]).includes(name);
