import type { FieldError } from '../types.ts';

/** What every error of the client says of itself. */
export type ErrorKind = ProblemKind | 'token-refused' | 'no-answer' | 'unexpected-answer' | 'foreign-link';

/**
 * The root of the client's errors. None of them holds a request, a token or a secret, and texts that came from elsewhere
 * went through `redactor` first: they may be printed and logged as they are.
 */
export abstract class TransactionsError extends Error {
  abstract readonly kind: ErrorKind;

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
  /** Address of the paragraph that explains it; what stands after `#` is the cause, the same at every stage. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Quote it when you report the problem. */
  readonly requestId: string | undefined;
  /** Every parameter, member or header at fault; with 422 always, with others wherever there is one. */
  readonly errors: readonly FieldError[];
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined;
};

/** The service refused a request, or failed at it. `instanceof` one of its classes, or a switch over `kind`, tells which. */
export abstract class ProblemError extends TransactionsError {
  abstract override readonly kind: ProblemKind;
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly retryAfterMs: number | undefined;

  constructor(facts: ProblemFacts) {
    super(`${facts.status} ${facts.title}: ${[facts.detail, ...facts.errors.map(sentenceOf)].join(' ')}`);
    this.status = facts.status;
    this.type = facts.type;
    this.title = facts.title;
    this.detail = facts.detail;
    this.requestId = facts.requestId;
    this.errors = facts.errors;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const sentenceOf = ({ field, message }: FieldError) => `(${field}: ${message})`;

/** 400: the request could not be understood. */
export class BadRequestError extends ProblemError {
  readonly kind = 'bad-request';
}
/** 401: the access token does not count, and a fresh one did not either. */
export class InvalidCredentialsError extends ProblemError {
  readonly kind = 'invalid-credentials';
}
/** 403: the credentials lack the OAuth scope. */
export class ForbiddenError extends ProblemError {
  readonly kind = 'forbidden';
}
/** 404: unknown, deleted, or outside of your grants; the three cannot be told apart. */
export class NotFoundError extends ProblemError {
  readonly kind = 'not-found';
}
/** 405. */
export class MethodNotAllowedError extends ProblemError {
  readonly kind = 'method-not-allowed';
}
/** 409: the request does not fit what is there; `type` says why. */
export class ConflictError extends ProblemError {
  readonly kind = 'conflict';
}
/** 412: the transaction changed since the `etag` was read. */
export class PreconditionFailedError extends ProblemError {
  readonly kind = 'precondition-failed';
}
/** 413: larger than the service takes. */
export class ContentTooLargeError extends ProblemError {
  readonly kind = 'content-too-large';
}
/** 415. */
export class UnsupportedMediaTypeError extends ProblemError {
  readonly kind = 'unsupported-media-type';
}
/** 422: `errors` names every parameter or member that was refused. */
export class InvalidParametersError extends ProblemError {
  readonly kind = 'invalid-parameters';
}
/** 429: too many requests, and the waits of all attempts did not help. */
export class TooManyRequestsError extends ProblemError {
  readonly kind = 'too-many-requests';
}
/** 500: report it with its `requestId`. */
export class InternalError extends ProblemError {
  readonly kind = 'internal-error';
}
/** 502, 503 or 504 at every attempt. */
export class UnavailableError extends ProblemError {
  readonly kind = 'unavailable';
}
/** Any other status. */
export class OtherProblemError extends ProblemError {
  readonly kind = 'other';
}

const classes = {
  400: BadRequestError,
  401: InvalidCredentialsError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: ContentTooLargeError,
  415: UnsupportedMediaTypeError,
  422: InvalidParametersError,
  429: TooManyRequestsError,
  500: InternalError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
} as const;

/** The kinds of problem, a class for each. */
export type ProblemKind = InstanceType<(typeof classes)[keyof typeof classes]>['kind'] | 'other';

/** The error of a status. */
export const problemError = (facts: ProblemFacts): ProblemError => {
  const { [facts.status as keyof typeof classes]: Problem = OtherProblemError } = classes;
  return new Problem(facts);
};

/** The token service refused the credentials or the request for a token (RFC 6749 section 5.2). */
export class TokenRefusedError extends TransactionsError {
  readonly kind = 'token-refused';
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
  readonly kind = 'no-answer';
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
  readonly kind = 'unexpected-answer';
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
  readonly kind = 'foreign-link';
  readonly origin: string;

  constructor(origin: string) {
    super(`The link leads to ${origin}, which is not the service: it was not followed.`);
    this.origin = origin;
  }
}

/** Whether an error is one of the client's, also where two copies of the kit are loaded. */
export const isTransactionsError = (error: unknown): error is TransactionsError =>
  error instanceof Error && 'kind' in error && typeof error.kind === 'string' && 'toJSON' in error;
