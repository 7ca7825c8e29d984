import type { FieldError } from '../types.ts';
import type { ProblemName } from '../wire.ts';

/** The client's own types, for what no answer of the service explains. */
type OwnType = 'token-refused' | 'no-answer' | 'unexpected-answer' | 'foreign-link' | 'conflict' | 'other';

/** What an error is of, for a `switch`. The service may have further types one day. */
export type ErrorType = ProblemName | OwnType | (string & {});

/**
 * The root of the client's errors. None of them holds a request, a token or a secret, and texts that came from elsewhere
 * went through `redactor` first: they may be printed and logged as they are.
 */
export abstract class TransactionsError extends Error {
  abstract readonly type: ErrorType;
  /** Quote it when you report the error; absent where nothing answered. */
  abstract readonly requestId: string | undefined;

  override get name(): string {
    return this.constructor.name;
  }

  /** What a logger that writes JSON sees. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** What an answer with a status of 400 or more says (RFC 9457). */
export type ProblemFacts = {
  readonly status: number;
  /** The name of the paragraph that explains it, the same at every stage; of an answer without one, by its status. */
  readonly type: ErrorType;
  /** The address of the paragraph. */
  readonly typeUrl: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** Every parameter, member or header at fault; with 422 always, with others wherever there is one. */
  readonly errors: readonly FieldError[];
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined;
};

/** The service refused a request, or failed at it. `instanceof` tells its status, and `type` the cause. */
export abstract class ProblemError extends TransactionsError {
  readonly status: number;
  readonly type: ErrorType;
  readonly typeUrl: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly retryAfterMs: number | undefined;

  constructor(facts: ProblemFacts) {
    super(`${facts.status} ${facts.title}: ${[facts.detail, ...facts.errors.map(sentenceOf)].join(' ')}`);
    this.status = facts.status;
    this.type = facts.type;
    this.typeUrl = facts.typeUrl;
    this.title = facts.title;
    this.detail = facts.detail;
    this.requestId = facts.requestId;
    this.errors = facts.errors;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const sentenceOf = ({ field, message }: FieldError) => `(${field}: ${message})`;

/** 400: the request could not be understood. */
export class BadRequestError extends ProblemError {}
/** 401: the access token does not count, and a fresh one did not either. */
export class InvalidCredentialsError extends ProblemError {}
/** 403: the credentials lack the OAuth scope. */
export class ForbiddenError extends ProblemError {}
/** 404: unknown, deleted, or outside of your grants; the three cannot be told apart. */
export class NotFoundError extends ProblemError {}
/** 405. */
export class MethodNotAllowedError extends ProblemError {}
/** 409: the request does not fit what is there. */
export class ConflictError extends ProblemError {}
/** 412: the transaction changed since the `etag` was read. */
export class PreconditionFailedError extends ProblemError {}
/** 413: larger than the service takes. */
export class ContentTooLargeError extends ProblemError {}
/** 415. */
export class UnsupportedMediaTypeError extends ProblemError {}
/** 422: `errors` names every parameter or member that was refused. */
export class InvalidParametersError extends ProblemError {}
/** 429: too many requests, and the waits of all attempts did not help. */
export class TooManyRequestsError extends ProblemError {}
/** 500: report it with its `requestId`. */
export class InternalError extends ProblemError {}
/** 502, 503 or 504 at every attempt. */
export class UnavailableError extends ProblemError {}
/** Any other status. */
export class OtherProblemError extends ProblemError {}

/** The class of a status, and the type of an answer that names none. */
const known: Readonly<Record<number, readonly [new (facts: ProblemFacts) => ProblemError, ErrorType]>> = {
  400: [BadRequestError, 'bad-request'],
  401: [InvalidCredentialsError, 'invalid-credentials'],
  403: [ForbiddenError, 'forbidden'],
  404: [NotFoundError, 'not-found'],
  405: [MethodNotAllowedError, 'method-not-allowed'],
  409: [ConflictError, 'conflict'],
  412: [PreconditionFailedError, 'precondition-failed'],
  413: [ContentTooLargeError, 'content-too-large'],
  415: [UnsupportedMediaTypeError, 'unsupported-media-type'],
  422: [InvalidParametersError, 'invalid-parameters'],
  429: [TooManyRequestsError, 'too-many-requests'],
  500: [InternalError, 'internal-error'],
  502: [UnavailableError, 'unavailable'],
  503: [UnavailableError, 'unavailable'],
  504: [UnavailableError, 'gateway-timeout'],
};

/** The error of a status. */
export const problemError = (facts: Omit<ProblemFacts, 'type'>): ProblemError => {
  const [Problem, usual] = known[facts.status] ?? [OtherProblemError, 'other'];
  const [, type = usual] = /#([a-z][a-z0-9-]*)$/.exec(facts.typeUrl) ?? [];
  return new Problem({ ...facts, type });
};

/** The token service refused the credentials or the request for a token (RFC 6749 section 5.2). */
export class TokenRefusedError extends TransactionsError {
  readonly type = 'token-refused';
  readonly status: number;
  /** `invalid_client`, `invalid_scope`, … */
  readonly error: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(facts: {
    status: number;
    error: string;
    description: string;
    requestId: string | undefined;
    retryAfterMs: number | undefined;
  }) {
    super(`The token service answered ${facts.status} ${facts.error}: ${facts.description}`);
    this.status = facts.status;
    this.error = facts.error;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Nothing came back: no connection, or no whole answer in time. Of a write it is not known whether it was carried out. */
export class NoAnswerError extends TransactionsError {
  readonly type = 'no-answer';
  readonly requestId = undefined;
  readonly reason: 'timeout' | 'network';
  /** As Node names it: `ECONNREFUSED`, `ENOTFOUND`, … */
  readonly code: string | undefined;

  constructor({ reason, code, text }: { reason: 'timeout' | 'network'; code?: string; text: string }) {
    super(text);
    this.reason = reason;
    this.code = code;
  }
}

/** Something answered that is not the service: a redirect, a page of a proxy, a body that is no JSON. */
export class UnexpectedAnswerError extends TransactionsError {
  readonly type = 'unexpected-answer';
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(text: string, { status, requestId }: { status: number; requestId?: string | undefined }) {
    super(text);
    this.status = status;
    this.requestId = requestId;
  }
}

/** A link leads to another origin than the service's. It was not followed: the access token goes to the service alone. */
export class ForeignLinkError extends TransactionsError {
  readonly type = 'foreign-link';
  readonly requestId = undefined;
  readonly origin: string;

  constructor(origin: string) {
    super(`The link leads to ${origin}, which is not the service: it was not followed.`);
    this.origin = origin;
  }
}

/** Whether an error is one of the client's, also where two copies of the kit are loaded. */
export const isTransactionsError = (error: unknown): error is TransactionsError =>
  error instanceof Error && 'type' in error && 'requestId' in error && 'toJSON' in error;
