import type { FieldError } from '../types.ts';
import type { ProblemName } from '../wire.ts';

/** Types of errors without an answer of the service. */
type OwnType = 'token-refused' | 'no-answer' | 'unexpected-answer' | 'foreign-link' | 'conflict' | 'other';

/** The type of an error, for a `switch`. The service may add types. */
export type ErrorType = ProblemName | OwnType | (string & {});

/**
 * The base class of the client's errors. They contain no request, token or secret, and secrets were removed from texts
 * of others (`redactor`), so they may be printed and logged.
 */
export abstract class TransactionsError extends Error {
  abstract readonly type: ErrorType;
  /** Quote it when you report the error. Absent without an answer. */
  abstract readonly requestId: string | undefined;

  override get name(): string {
    return this.constructor.name;
  }

  /** The form that JSON loggers see. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** The members of an answer with a status of 400 or more (RFC 9457). */
export type ProblemFacts = {
  readonly status: number;
  /**
   * The name of the section that explains it, the same at every stage. For an answer without one, a name by its status.
   */
  readonly type: ErrorType;
  /** The address of the section. */
  readonly typeUrl: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** Every parameter, member or header at fault. Always present with 422, and with others if there is one. */
  readonly errors: readonly FieldError[];
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined;
};

/** The service refused a request, or failed. `instanceof` distinguishes the status, and `type` the cause. */
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
/** 401: the access token is not valid, and a new one was refused as well. */
export class InvalidCredentialsError extends ProblemError {}
/** 403: the credentials lack the OAuth scope. */
export class ForbiddenError extends ProblemError {}
/** 404: unknown, deleted, or outside of your grants. The three cannot be distinguished. */
export class NotFoundError extends ProblemError {}
/** 405. */
export class MethodNotAllowedError extends ProblemError {}
/** 409: the request conflicts with the present state. */
export class ConflictError extends ProblemError {}
/** 412: the transaction changed after the `etag` was read. */
export class PreconditionFailedError extends ProblemError {}
/** 413: larger than the service accepts. */
export class ContentTooLargeError extends ProblemError {}
/** 415. */
export class UnsupportedMediaTypeError extends ProblemError {}
/** 422: `errors` names every refused parameter or member. */
export class InvalidParametersError extends ProblemError {}
/** 429: too many requests, still after the waits of all attempts. */
export class TooManyRequestsError extends ProblemError {}
/** 500: report it with its `requestId`. */
export class InternalError extends ProblemError {}
/** 502, 503 or 504 in every attempt. */
export class UnavailableError extends ProblemError {}
/** Any other status. */
export class OtherProblemError extends ProblemError {}

/** The class of a status, and the type of an answer without one. */
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

/** The error for a status. */
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

/** No answer: no connection, or no complete answer in time. It is unknown whether a write was carried out. */
export class NoAnswerError extends TransactionsError {
  readonly type = 'no-answer';
  readonly requestId = undefined;
  readonly reason: 'timeout' | 'network';
  /** The code of Node: `ECONNREFUSED`, `ENOTFOUND`, … */
  readonly code: string | undefined;

  constructor({ reason, code, text }: { reason: 'timeout' | 'network'; code?: string; text: string }) {
    super(text);
    this.reason = reason;
    this.code = code;
  }
}

/** The answer is not from the service: a redirect, a page of a proxy, a body that is not JSON. */
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

/**
 * A link leads to another origin than the service's. It was not followed, because only the service may get the access
 * token.
 */
export class ForeignLinkError extends TransactionsError {
  readonly type = 'foreign-link';
  readonly requestId = undefined;
  readonly origin: string;

  constructor(origin: string) {
    super(`The link leads to ${origin}, which is not the service: it was not followed.`);
    this.origin = origin;
  }
}

/** Whether an error is one of the client's, even if two copies of the kit are loaded. */
export const isTransactionsError = (error: unknown): error is TransactionsError =>
  error instanceof Error && 'type' in error && 'requestId' in error && 'toJSON' in error;
