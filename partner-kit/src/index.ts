export type { Answer, CallOptions, WriteOptions } from './client/answer.ts';
export { type Client, createClient, type UpdateOptions } from './client/client.ts';
export {
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  type ErrorKind,
  ForbiddenError,
  ForeignLinkError,
  InternalError,
  InvalidCredentialsError,
  InvalidParametersError,
  isTransactionsError,
  MethodNotAllowedError,
  NoAnswerError,
  NotFoundError,
  OtherProblemError,
  PreconditionFailedError,
  ProblemError,
  type ProblemKind,
  TokenRefusedError,
  TooManyRequestsError,
  TransactionsError,
  UnavailableError,
  UnexpectedAnswerError,
  UnsupportedMediaTypeError,
} from './client/errors.ts';
export type { EventFilter, EventPage, EventQuery, EventsClient } from './client/events.ts';
export type { ListFilter, ListQuery, Page } from './client/list.ts';
export type { Expand, Field, Names, Selected, Selection } from './client/selection.ts';
export { type ClientOptions, kitVersion, type Sleep } from './client/settings.ts';
export * from './types.ts';
