import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { faultProblem } from '../../../../../functions/shared/middleware/faults.ts';

const cancelledBy = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const named = (name: string) => Object.assign(new Error('x'), { name });

test.each([
  ['by another write', cancelledBy('None', 'TransactionConflict')],
  ['by throttling', cancelledBy('ThrottlingError', 'None')],
  ['by a table at its limit', cancelledBy('ProvisionedThroughputExceeded')],
  ['by another region', named('ReplicatedWriteConflictException')],
])('ERR-4: an atomic write that was cancelled %s at each try is 503 with Retry-After', (_, fault) => {
  expect(faultProblem(fault)).toMatchObject({ problem: 'unavailable', headers: { 'Retry-After': '2' } });
});

test.each([
  ['a failed condition', cancelledBy('ConditionalCheckFailed', 'TransactionConflict')],
  ['an item that the engine refuses', cancelledBy('ValidationError', 'None')],
  ['no reason at all', cancelledBy()],
])('ERR-4: an atomic write that was cancelled by %s is a fault, 500', (_, fault) => {
  expect(faultProblem(fault)).toMatchObject({ problem: 'internal-error' });
});
