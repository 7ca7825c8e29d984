/** How an attempt failed: refused by a condition, worth another try, or without an answer and so perhaps done. */
export type Failure = 'condition-failed' | 'not-done' | 'perhaps-done' | 'fatal';

type SdkError = {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; attempts?: number };
  CancellationReasons?: { Code?: string }[];
};

/** Reads an SDK error. Without an answer, or after a 5xx, it is open whether the request was carried out. */
export const failureOf = (error: unknown): Failure => {
  const { name = '', $metadata, CancellationReasons } = (error ?? {}) as SdkError;
  if (name === 'TransactionCanceledException') return failureOfReasons(CancellationReasons ?? []);
  if (name === 'ConditionalCheckFailedException') return 'condition-failed';
  if (declinedNames.has(name)) return 'not-done';
  if (programFaults.has(name)) return 'fatal';
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 ? 'perhaps-done' : 'fatal';
};

/** The SDK's names for requests that DynamoDB declined for now. */
const declinedNames = new Set([
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const programFaults = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'CredentialsProviderError',
]);

const failureOfReasons = (reasons: { Code?: string }[]): Failure => {
  const codes = reasons.map(({ Code }) => Code);
  if (codes.includes(conditionFailed)) return 'condition-failed';
  return codes.some((code) => code !== undefined && declinedCodes.has(code)) ? 'not-done' : 'fatal';
};

const conditionFailed = 'ConditionalCheckFailed';
const declinedCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Whether the store cannot answer now, so that a later try may help. Anything else is a fault of ours. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, code = '' } = error as SdkError & Error;
  return failureOf(error) === 'not-done' || unansweredNames.has(name) || unansweredCodes.has(code);
};

const unansweredNames = new Set([
  'InternalServerError',
  'InternalServiceError',
  'RequestTimeout',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'TimeoutError',
]);
const unansweredCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']);

/** Whether there was no answer within the time of the request, or of its signal. */
export const hasTimedOut = (error: unknown): boolean => {
  const { name = '', code = '' } = error as SdkError;
  return /^(Timeout|Abort)/.test(name) && !/RESET|PIPE/.test(code);
};

/** Whether the SDK repeated the request, as it does when an answer is lost. */
export const wasSentAgain = (error: unknown) => ((error as SdkError).$metadata?.attempts ?? 1) > 1;

/** Whether a conditional write was done. False if a condition failed. Throws any other failure. */
export const conditionHeld = async (write: Promise<unknown>): Promise<boolean> =>
  (await failedConditionIn(write)) === undefined;

/** The index of the statement whose condition failed. Undefined if the write was done. Throws any other failure. */
export const failedConditionIn = async (write: Promise<unknown>): Promise<number | undefined> => {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (failureOf(error) !== 'condition-failed') throw error;
    const { CancellationReasons = [{ Code: conditionFailed }] } = error as SdkError;
    return CancellationReasons.findIndex(({ Code }) => Code === conditionFailed);
  }
};

/** Why a part of a transaction was refused, or `none` if another part was. */
export type Refusal = 'condition-failed' | 'other' | 'none';

/**
 * Why each part of a transaction was refused, where parts have this many statements. Undefined if it was carried out.
 * If the request as a whole is refused, the parts cannot be distinguished. Throws any other failure, because it may not
 * be a refusal.
 */
export const refusedParts = async (
  write: Promise<unknown>,
  sizes: readonly number[],
): Promise<Refusal[] | undefined> => {
  try {
    await write;
    return undefined;
  } catch (error) {
    const { name, $metadata: { httpStatusCode = 0 } = {}, CancellationReasons = [] } = error as SdkError;
    const isRefusedWhole = failureOf(error) === 'fatal' && httpStatusCode >= 400;
    if (name !== 'TransactionCanceledException' && !isRefusedWhole) throw error;
    const codes = CancellationReasons.map(({ Code = 'None' }) => Code);
    return sizes.map((size) => refusalOf(codes.splice(0, size)));
  }
};

const refusalOf = (codes: readonly string[]): Refusal => {
  const faults = codes.filter((code) => code !== 'None');
  if (faults.includes(conditionFailed)) return 'condition-failed';
  return faults.length > 0 ? 'other' : 'none';
};
