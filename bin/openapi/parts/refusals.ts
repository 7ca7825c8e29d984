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
import { gatewayAnswers } from '../../../lib/gateway-answers.ts';
import { resourceMetadata } from '../examples/tokens.ts';
import { accept, challenge, retryAfter, scopeChallenge } from './headers.ts';
import { gatewayRefusal, refusal } from './refusal.ts';

/** What an operation may answer instead of what was asked, by status; `functions/README.md` has the order of the checks. */
export const badQuery = refusal('BadQuery', {
  examples: {
    'Too many parameters': queryProblem({ ok: false, reason: 'too-many-parameters' }),
    'Too many brackets': queryProblem({ ok: false, reason: 'too-many-levels' }),
    'Two tokens': twoTokens('token'),
  },
});

export const twoTokensSent = refusal('TwoTokens', { examples: { 'Two tokens': twoTokens('token') } });

export const badBody = refusal('BadBody', {
  examples: {
    'Not JSON': bodyProblem({ reason: 'not-json' }),
    'Not an object': bodyProblem({ reason: 'not-an-object' }),
    'Not UTF-8': bodyProblem({ reason: 'not-utf-8' }),
    'Too many parameters': queryProblem({ ok: false, reason: 'too-many-parameters' }),
    'Two tokens': twoTokens('token'),
    'Malformed key': problem('bad-request', {
      detail: 'Idempotency-Key must be one value of 1 to 255 printable ASCII characters without spaces.',
    }),
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
  headers: challenge,
});

export const lacksWrite = refusal('LacksWrite', {
  examples: {
    'No nop2/write': insufficientScope('nop2/write'),
    'A move to a location outside of your grants': ownershipProblem(
      'no-storefront',
      'No storefront for this location is registered within your grants.',
    ),
  },
  headers: scopeChallenge,
});

export const notFound = refusal('NotFound', {
  examples: { 'Unknown, deleted or not yours': notFoundProblem() },
});

export const staleTag = refusal('PreconditionFailed', {
  examples: { 'Changed since': problem('precondition-failed') },
});

export const tooLargeBody = refusal('ContentTooLarge', {
  examples: {
    'Body too large': bodyProblem({ reason: 'too-large' }),
    'Transaction too large': tooLarge('A transaction may have at most 90000 bytes beside its payments.'),
  },
});

export const notJson = refusal('UnsupportedMediaType', {
  examples: { 'Not declared as JSON': bodyProblem({ reason: 'unsupported-type' }) },
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

/** Of a read of one transaction (FLT-4). */
export const filterOfOne = refusal('FilterOfOne', {
  examples: {
    'A filter': queryProblem({
      ok: false,
      reason: 'invalid-filter',
      errors: [{ field: 'filter[status]', message: 'Only lists take a filter.' }],
    }),
  },
});

export const badMembers = refusal('InvalidMembers', {
  examples: {
    'A member that is not written': invalidMembers([
      { field: 'status', message: 'The member is unknown, or is not written by callers.' },
    ]),
    'A key that was used with another body': problem('invalid-parameters', {
      detail: 'The Idempotency-Key was used with another body.',
      errors: [{ field: 'Idempotency-Key', message: 'The key was used with another body.' }],
    }),
  },
});

export const internal = refusal('InternalError', { examples: { 'A fault': problem('internal-error') } });

export const unavailable = refusal('Unavailable', {
  examples: { 'Not available': unavailableProblem() },
  headers: retryAfter,
});

export const noCreation = refusal('NoStorefront', {
  examples: {
    'No storefront': ownershipProblem(
      'no-storefront',
      'No storefront for this origin and location is registered.',
    ),
  },
});

export const sessionConflict = refusal('Conflict', {
  examples: {
    'Complete already': problem('conflict', {
      detail: 'The transaction is complete and can no longer be changed here.',
    }),
  },
});

/** Of all callers together, or of one address. */
export const tooMany = gatewayRefusal('TooManyRequests', gatewayAnswers.THROTTLED, retryAfter);

export const tookTooLong = gatewayRefusal('GatewayTimeout', gatewayAnswers.INTEGRATION_TIMEOUT, retryAfter);

const malformedKey = problem('bad-request', {
  detail: 'Idempotency-Key must be one value of 1 to 255 printable ASCII characters without spaces.',
});

/** Of a request that takes no body. */
export const badKey = refusal('BadKey', {
  examples: { 'Malformed key': malformedKey, 'Two tokens': twoTokens('token') },
});

export const usedKey = refusal('UsedKey', {
  examples: {
    'A key that was used with another body': problem('invalid-parameters', {
      detail: 'The Idempotency-Key was used with another body.',
      errors: [{ field: 'Idempotency-Key', message: 'The key was used with another body.' }],
    }),
  },
});

export const nothingLeaves = refusal('NothingLeaves', {
  examples: {
    'No webhook': problem('webhook-missing'),
    Paused: problem('webhook-paused'),
  },
});

export const lacksWebhook = refusal('LacksWebhook', {
  examples: { 'No nop2/webhook': insufficientScope('nop2/webhook') },
  headers: scopeChallenge,
});

export const changedMeanwhile = refusal('ChangedMeanwhile', {
  examples: { 'Changed at the same moment': problem('changed-meanwhile') },
});

export const changeConflict = refusal('WebhookConflict', {
  examples: {
    'Paused by the operator': problem('webhook-paused-by-operator'),
    'No webhook': problem('webhook-missing'),
    'No next signature': problem('signature-not-announced'),
    'Changed at the same moment': problem('changed-meanwhile'),
  },
});

export const badAddress = refusal('InvalidAddress', {
  examples: {
    'Not https': invalidMembers([{ field: 'url', message: 'The address is not an https address.' }]),
    'A key that was used with another body': problem('invalid-parameters', {
      detail: 'The Idempotency-Key was used with another body.',
      errors: [{ field: 'Idempotency-Key', message: 'The key was used with another body.' }],
    }),
  },
});

export const overQuota = refusal('OverQuota', {
  examples: { 'Over the quota': problem('too-many-requests') },
  headers: retryAfter,
});
