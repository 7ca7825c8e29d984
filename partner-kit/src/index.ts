export type { Answer, WriteOptions } from './client/answer.ts';
export { type Client, createClient } from './client/client.ts';
export {
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  type ErrorType,
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
  TokenRefusedError,
  TooManyRequestsError,
  TransactionsError,
  UnavailableError,
  UnexpectedAnswerError,
  UnsupportedMediaTypeError,
} from './client/errors.ts';
export type { EventFilter, EventPage, EventQuery, EventsClient, ReplayRequest } from './client/events.ts';
export type { ListFilter, ListQuery, Page } from './client/list.ts';
export type { List } from './client/pages.ts';
export type { SecretClient, SecretOptions } from './client/secret.ts';
export type { Expand, Field, Names, Selected, Selection } from './client/selection.ts';
export {
  type CallOptions,
  type ClientOptions,
  kitVersion,
  type SentRequest,
  type Sleep,
} from './client/settings.ts';
export type { TransactionsClient, UpdateOptions } from './client/transactions.ts';
export type { WebhookClient } from './client/webhook.ts';
export * from './types.ts';
export type { Change } from './webhook/change.ts';
export { type FetchHandler, fetchHandler } from './webhook/fetch-style.ts';
export type { VersionRange } from './webhook/message.ts';
export { type NodeRequest, type NodeResponse, nodeHandler } from './webhook/node-style.ts';
export type { Chain, Link } from './webhook/order.ts';
export { type ReadTransaction, readWith } from './webhook/read-back.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './webhook/receiver.ts';
export { memoryStore, type ReceiverStore, type StepRecords } from './webhook/store.ts';
export type { Outcome } from './webhook/take.ts';
export type { Incoming, Receipt, Refusal, Verdict } from './webhook/verdict.ts';
export {
  type VerifiedMessage,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookRefusedError,
} from './webhook/verify.ts';
