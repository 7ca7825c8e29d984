import { inexactNumber } from '../../../functions/shared/domain/transaction/json-limits.ts';
import {
  largestOfSessionBytes,
  largestTransactionBytes,
  sizeFaults,
} from '../../../functions/shared/domain/transaction/size.ts';
import { keyOfAnotherBody, malformedKey } from '../../../functions/shared/http/idempotency.ts';
import { pageTooLarge } from '../../../functions/shared/http/list-response.ts';
import {
  insufficientScope,
  invalidCredentials,
  notFound as notFoundProblem,
  problem,
  twoTokens,
  unavailable as unavailableProblem,
} from '../../../functions/shared/http/problem.ts';
import {
  bodyProblem,
  invalidMembers,
  ownershipProblem,
  queryProblem,
  tooLarge,
} from '../../../functions/shared/http/request-problems.ts';
import { noneOpenToYou } from '../../../functions/shared/write/update-transaction.ts';
import { neverAhead } from '../../../functions/v1-transaction/creation.ts';
import { noStorefront } from '../../../functions/v1-transaction/new-transaction.ts';
import { unknownTransaction } from '../../../functions/v2-write/create-payment.ts';
import { gatewayAnswers } from '../../../lib/constructs/api/gateway-answers.ts';
import { headersTooLarge } from '../examples/problems.ts';
import { resourceMetadata } from '../examples/tokens.ts';
import { accept, challenge, retryAfter, scopeChallenge } from './headers.ts';
import { gatewayRefusal, refusal } from './refusal.ts';

/** The refusals of an operation, by status. `functions/v2-read/README.md` has the order of the checks. */
export const badQuery = refusal('BadQuery', {
  examples: {
    'Too many parameters': queryProblem({ ok: false, reason: 'too-many-parameters' }),
    'Too many brackets': queryProblem({ ok: false, reason: 'too-many-levels' }),
    'Two tokens': twoTokens('token'),
    'An answer too large': pageTooLarge(20),
  },
});

export const twoTokensSent = refusal('TwoTokens', {
  path: '/api/v2/partner',
  examples: { 'Two tokens': twoTokens('token') },
});

export const badBody = refusal('BadBody', {
  examples: {
    'Not JSON': bodyProblem({ reason: 'not-json' }),
    'Not an object': bodyProblem({ reason: 'not-an-object' }),
    'Not UTF-8': bodyProblem({ reason: 'not-utf-8' }),
    'Too many parameters': queryProblem({ ok: false, reason: 'too-many-parameters' }),
    'Two tokens': twoTokens('token'),
    'Malformed key': malformedKey(),
  },
});

export const unauthorized = refusal('Unauthorized', {
  examples: {
    'No valid token': invalidCredentials({ tokenPresented: true, resourceMetadata }),
  },
  headers: challenge,
});

export const lacksRead = refusal('LacksRead', {
  examples: { 'No nop2/read': insufficientScope('nop2/read') },
  headers: scopeChallenge('nop2/read'),
});

export const lacksWrite = refusal('LacksWrite', {
  examples: {
    'No nop2/write': insufficientScope('nop2/write'),
    'A move to a location outside your grants': ownershipProblem('no-storefront', {
      claim: { location: 'L9' },
      detail: noneOpenToYou,
    }),
  },
  headers: scopeChallenge('nop2/write'),
});

export const notFound = refusal('NotFound', {
  path: '/docs/nope',
  examples: { 'Unknown, deleted or not yours': notFoundProblem() },
});

/** For a payment: the address is right, and its member `transaction` is not. */
export const noSuchTransaction = refusal('TransactionNotFound', {
  path: '/api/v2/payment',
  examples: { 'Unknown, deleted or not yours': unknownTransaction() },
});

const bodyTooLarge = bodyProblem({ reason: 'too-large', mostBytes: largestTransactionBytes });

/** For a payment, which is only limited by the size of payments (WR-4). */
export const tooLargePayment = refusal('PaymentsTooLarge', {
  path: '/api/v2/payment',
  examples: {
    'No room for a payment with status 0': tooLarge(sizeFaults.tried),
    'No room for a payment with status 1': tooLarge(sizeFaults.taken),
    'Body too large': bodyTooLarge,
  },
});

export const staleTag = refusal('PreconditionFailed', {
  examples: { 'Changed since': problem('precondition-failed') },
});

export const tooLargeBody = refusal('ContentTooLarge', {
  examples: {
    'Body too large': bodyTooLarge,
    'Transaction too large': tooLarge(sizeFaults.transaction),
  },
});

/** For a session, whose new transaction has at most as many bytes as its body (WR-4, S-86). */
export const tooLargeCreation = refusal('CreationTooLarge', {
  path: '/api/transaction',
  examples: {
    'Body too large': bodyProblem({ reason: 'too-large', mostBytes: largestOfSessionBytes }),
    'Transaction too large': tooLarge(sizeFaults.ofSession),
  },
});

/** For a session, which may also have a transaction that a partner made larger (WR-4, S-86). */
export const tooLargeChange = refusal('ChangeTooLarge', {
  examples: {
    'Transaction too large': tooLarge(sizeFaults.ofSession),
    'Transaction too large, after a partner enlarged it': tooLarge(sizeFaults.transaction),
    'Body too large': bodyTooLarge,
  },
});

export const notJson = refusal('UnsupportedMediaType', {
  examples: {
    'Not declared as JSON': bodyProblem({ reason: 'unsupported-type' }),
    Compressed: bodyProblem({ reason: 'unsupported-encoding' }),
  },
  headers: accept,
});

export const badFilter = refusal('InvalidFilters', {
  examples: {
    'Two faulty filters': queryProblem({
      ok: false,
      reason: 'invalid-filter',
      errors: [
        { field: 'filter[status]', message: 'The filter must be 0 or 1.' },
        { field: 'filter[nope]', message: 'The filter is unknown.' },
      ],
    }),
  },
});

/** For a read of one transaction (FLT-4). */
export const filterOfOne = refusal('FilterOfOne', {
  examples: {
    'A filter': queryProblem({
      ok: false,
      reason: 'invalid-filter',
      errors: [{ field: 'filter[status]', message: 'Only lists take a filter.' }],
    }),
  },
});

const numberOutOfRange = bodyProblem({
  reason: 'number-out-of-range',
  errors: [{ field: 'vehicle.price', message: `The member ${inexactNumber}.` }],
});

export const badMembers = refusal('InvalidMembers', {
  examples: {
    'A number that cannot be stored': numberOutOfRange,
    'Several franchises': ownershipProblem('several-franchises', { claim: {}, detail: '' }),
    'A member that you cannot change': invalidMembers([
      { field: 'status', message: 'The member is unknown, or you cannot change it.' },
    ]),
    'A key that was used with another body': keyOfAnotherBody(),
  },
});

export const internal = refusal('InternalError', {
  path: '/api/transaction',
  examples: { 'A fault': problem('internal-error') },
});

export const unavailable = refusal('Unavailable', {
  path: '/api/transaction',
  examples: { 'Not available': unavailableProblem() },
  headers: retryAfter,
});

export const noCreation = refusal('NoStorefront', {
  examples: {
    'No storefront': ownershipProblem('no-storefront', {
      claim: { location: 'L9' },
      detail: noStorefront,
    }),
    'A link, or a prefetch': neverAhead(),
  },
});

export const completeAlready = refusal('TransactionComplete', {
  examples: { 'Complete already': problem('transaction-complete') },
});

export const sessionFull = refusal('SessionFull', { examples: { Full: problem('session-full') } });

/** Above a limit for all callers together, or for one address. */
export const tooMany = gatewayRefusal('TooManyRequests', gatewayAnswers.THROTTLED, retryAfter);

export const tooLargeHeaders = gatewayRefusal('HeadersTooLarge', headersTooLarge);

/** A function ended without an answer. */
export const failed = gatewayRefusal('BadGateway', gatewayAnswers.DEFAULT_5XX, retryAfter);

export const tookTooLong = gatewayRefusal('GatewayTimeout', gatewayAnswers.INTEGRATION_TIMEOUT, retryAfter);

/** For a request that takes no body. */
export const badKey = refusal('BadKey', {
  path: '/api/v2/webhook/test',
  examples: { 'Malformed key': malformedKey(), 'Two tokens': twoTokens('token') },
});

export const usedKey = refusal('UsedKey', {
  path: '/api/v2/webhook/test',
  examples: {
    'A key that was used with another body': keyOfAnotherBody(),
  },
});

export const nothingLeaves = refusal('NothingLeaves', {
  path: '/api/v2/event/replay',
  examples: {
    'No webhook': problem('webhook-missing'),
    Paused: problem('webhook-paused'),
    'May not read': problem('read-scope-missing'),
  },
});

export const lacksWebhook = refusal('LacksWebhook', {
  path: '/api/v2/webhook',
  examples: { 'No nop2/webhook': insufficientScope('nop2/webhook') },
  headers: scopeChallenge('nop2/webhook'),
});

export const changedMeanwhile = refusal('ChangedMeanwhile', {
  path: '/api/v2/webhook',
  examples: { 'Changed at the same moment': problem('changed-meanwhile') },
});

export const changeConflict = refusal('WebhookConflict', {
  path: '/api/v2/webhook',
  examples: {
    'Paused by the operator': problem('webhook-paused-by-operator'),
    'No webhook': problem('webhook-missing'),
    'No next signature': problem('signature-not-announced'),
    'Changed at the same moment': problem('changed-meanwhile'),
  },
});

export const badAddress = refusal('InvalidAddress', {
  path: '/api/v2/webhook',
  examples: {
    'Not https': invalidMembers([{ field: 'url', message: 'The address is not an https address.' }]),
    'A key that was used with another body': keyOfAnotherBody(),
  },
});

export const overQuota = refusal('OverQuota', {
  examples: { 'Over the quota': problem('too-many-requests') },
  headers: retryAfter,
});
