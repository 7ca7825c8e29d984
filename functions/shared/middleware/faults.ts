import { type Problem, problem } from '../http/problem.ts';
import { failureOf } from '../store/dynamodb/retry.ts';

/** How the SDK names a store that cannot answer now, as opposed to a fault of ours. */
const unavailableNames = new Set([
  'InternalServerError',
  'InternalServiceError',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const unavailableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']);

/** Whether trying again later may help. */
export const isUnavailable = (fault: unknown): boolean =>
  fault instanceof Error &&
  (unavailableNames.has(fault.name) ||
    unavailableCodes.has(String((fault as NodeJS.ErrnoException).code)) ||
    isContended(fault));

/** An atomic write that met others at every try. */
const isContended = (fault: Error) =>
  fault.name === 'TransactionCanceledException' && failureOf(fault) === 'not-done';

/** ERR-4: nothing of the cause leaves the service. */
export const faultProblem = (fault: unknown): Problem =>
  isUnavailable(fault)
    ? problem('unavailable', { headers: { 'Retry-After': '2' } })
    : problem('internal-error');
