import { inexactNumber } from '../../../functions/shared/domain/transaction/json-limits.ts';
import { largestTransactionBytes, sizeFaults } from '../../../functions/shared/domain/transaction/size.ts';
import { keyOfAnotherBody, malformedKey } from '../../../functions/shared/http/idempotency.ts';
import { pageTooLarge } from '../../../functions/shared/http/list-response.ts';
import {
  createProblemWriter,
  insufficientScope,
  type Problem,
  type ProblemName,
  problem,
  problems,
} from '../../../functions/shared/http/problem.ts';
import {
  bodyProblem,
  ownershipProblem,
  queryProblem,
  tooLarge,
} from '../../../functions/shared/http/request-problems.ts';
import { noneOpenToYou } from '../../../functions/shared/write/update-transaction.ts';
import { unfittingCursor } from '../../../functions/v2-partner/event-query.ts';
import { unknownTransaction } from '../../../functions/v2-write/create-payment.ts';
import {
  type GatewayAnswer,
  gatewayAnswers,
  gatewayProblem,
} from '../../../lib/constructs/api/gateway-answers.ts';
import { addresses } from './addresses.ts';
import { requestId } from './values.ts';

const writeProblem = createProblemWriter(addresses.baseUrl);

/** Problems of the service, most of them of requests for transactions. */
export const problemBody = (one: Problem, path = '/api/v2/transaction'): unknown =>
  JSON.parse(writeProblem(one, { path, requestId }).body);

/** Answers by the gateway itself, which fills in its variable. */
export const gatewayProblemBody = (answer: GatewayAnswer): unknown =>
  JSON.parse(
    JSON.stringify(gatewayProblem(answer, addresses.baseUrl)).replaceAll('$context.requestId', requestId),
  );

const examples: { [Name in ProblemName]?: Problem } = {
  'invalid-parameters': problem('invalid-parameters', {
    errors: [{ field: 'filter[nope]', message: 'The filter is unknown.' }],
  }),
  'answer-too-large': pageTooLarge(20),
  'content-too-large': bodyProblem({ reason: 'too-large', mostBytes: largestTransactionBytes }),
  'idempotency-key-reused': keyOfAnotherBody(),
  'insufficient-scope': insufficientScope('nop2/write'),
  'malformed-idempotency-key': malformedKey(),
  'number-out-of-range': bodyProblem({
    reason: 'number-out-of-range',
    errors: [{ field: 'vehicle.price', message: `The member ${inexactNumber}.` }],
  }),
  'no-storefront': ownershipProblem('no-storefront', {
    ...{ claim: { location: 'L9' }, detail: noneOpenToYou },
  }),
  'payments-too-large': tooLarge(sizeFaults.tried),
  'several-franchises': ownershipProblem('several-franchises', { claim: {}, detail: '' }),
  'transaction-not-found': unknownTransaction(),
  'unfitting-cursor': queryProblem({
    ...{ ok: false, reason: 'unfitting-cursor' },
    errors: [{ field: 'after', message: unfittingCursor }],
  }),
  'transaction-too-large': tooLarge(sizeFaults.transaction),
};

/** Problems of other requests than those for transactions. */
const paths: { [Name in ProblemName]?: string } = {
  'changed-meanwhile': '/api/v2/webhook',
  'payments-too-large': '/api/v2/payment',
  'read-scope-missing': '/api/v2/webhook/test',
  'session-full': '/api/transaction',
  'signature-not-announced': '/api/v2/webhook',
  'transaction-complete': '/api/transaction',
  'transaction-not-found': '/api/v2/payment',
  'unfitting-cursor': '/api/v2/event',
  'webhook-missing': '/api/v2/webhook',
  'webhook-paused': '/api/v2/webhook/test',
  'webhook-paused-by-operator': '/api/v2/webhook',
};

const ofService = (Object.keys(problems) as ProblemName[]).map((name) =>
  problemBody(examples[name] ?? problem(name), paths[name]),
);

/** Answered by the gateway before it has found an operation. */
export const headersTooLarge: GatewayAnswer = {
  status: 431,
  title: 'Request Header Fields Too Large',
  paragraph: 'headers-too-large',
  detail: 'The address and the headers are larger than 10,240 bytes together.',
};

const ofGateway = [...new Set<GatewayAnswer>(Object.values(gatewayAnswers)), headersTooLarge]
  .filter(({ paragraph }) => !(paragraph in problems))
  .map(gatewayProblemBody);

/** An example of each type that a caller may get. */
export const problemExamples: unknown[] = [...ofService, ...ofGateway];
