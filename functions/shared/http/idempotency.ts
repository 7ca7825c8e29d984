import { createHash } from 'node:crypto';
import type { Visibility } from '../domain/query/projection.ts';
import { readSelection } from '../domain/query/selection.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  type IdempotencyRecord,
  type KeptView,
  type RequestStore,
  recordLifetimeMs,
} from '../store/requests/request-store.ts';
import { transactionResponse } from './list-response.ts';
import { type Problem, problem } from './problem.ts';
import { type HttpEvent, headerValues } from './request.ts';
import type { HttpResponse } from './response.ts';

/** A write with an `Idempotency-Key`, as digests of its caller, its address and its body (WR-1). */
export type Command = { id: string; bodyHash: string };

/** Distinguishes a replay from a first response. */
export const replayedHeader = 'Idempotency-Replayed';

export type KeyOwner = { kind: 'partner' | 'session'; id: string };

/** Printable characters only, so that a key can be quoted in any text. */
const keyShape = /^[\x21-\x7e]{1,255}$/;

/** The command of a request. Undefined without a key. A malformed key is refused, not ignored. */
export const readCommand = (
  event: Pick<HttpEvent, 'httpMethod' | 'multiValueHeaders'>,
  { caller, route, bytes }: { caller: KeyOwner; route: string; bytes: Buffer },
): { ok: true; value: Command | undefined } | { ok: false; problem: Problem } => {
  const [key, ...others] = headerValues(event, 'Idempotency-Key');
  if (key === undefined) return { ok: true, value: undefined };
  if (others.length > 0 || !keyShape.test(key)) return { ok: false, problem: malformedKey() };
  const id = digestOf(JSON.stringify([caller.kind, caller.id, event.httpMethod, route, key]));
  return { ok: true, value: { id, bodyHash: digestOf(bytes) } };
};

export const malformedKey = () => {
  const message = 'The key must be 1 to 255 printable ASCII characters without spaces.';
  return problem('malformed-idempotency-key', { errors: [{ field: 'Idempotency-Key', message }] });
};

/** What is stored of a response: no headers of the request itself, and no token (WR-1). */
export const recordOf = (
  { id, bodyHash }: Command,
  answer: IdempotencyRecord['answer'],
  { uuid, now }: { uuid: string; now: Date },
): IdempotencyRecord => ({
  id,
  bodyHash,
  uuid,
  answer,
  expiresAtMs: now.getTime() + recordLifetimeMs,
});

/**
 * The answer to a repeated request, if the caller may still see the transaction: 422 if the body differs, otherwise the
 * first response to a partner, and to a session the transaction as it is now (WR-1).
 */
export const replay = (
  { bodyHash }: Command,
  { bodyHash: first, answer }: IdempotencyRecord,
  show: (view: KeptView) => HttpResponse,
): HttpResponse | Problem => {
  if (first !== bodyHash) return keyOfAnotherBody();
  const response = 'body' in answer ? answer : show(answer);
  return { ...response, headers: { ...response.headers, [replayedHeader]: 'true' } };
};

/** A transaction in the way in which an answer shows it. */
export const shownBy = (
  { status, headers, selection: { fields, expand } }: KeptView,
  transaction: Parameters<typeof transactionResponse>[0],
  visibleTo: Visibility,
): HttpResponse => {
  const selection = readSelection({ fields: [fields], expand: [expand] });
  return transactionResponse(transaction, selection, { visibleTo, headers, status });
};

/** The stored answer of a partner's command. Undefined if there is none. */
export const answerKept = async (
  command: Command | undefined,
  { requests, clock }: { requests: Pick<RequestStore, 'find'>; clock: Clock },
): Promise<HttpResponse | Problem | undefined> => {
  const record = command && (await requests.find(command.id, clock()));
  return command && record && replay(command, record, neverOfAPartner);
};

const neverOfAPartner = (): never => {
  throw new Error('A record of a partner has no answer');
};

export const keyOfAnotherBody = () =>
  problem('idempotency-key-reused', {
    errors: [{ field: 'Idempotency-Key', message: 'The key was used with another body.' }],
  });

const digestOf = (data: string | Buffer) => createHash('sha256').update(data).digest('base64url');
