import { inexactNumber } from '../../../functions/shared/domain/transaction/json-limits.ts';
import { sizeFaults } from '../../../functions/shared/domain/transaction/size.ts';
import { keyOfAnotherBody, malformedKey } from '../../../functions/shared/http/idempotency.ts';
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
import { type GatewayAnswer, gatewayAnswers, gatewayProblem } from '../../../lib/gateway-answers.ts';
import { addresses } from './addresses.ts';
import { requestId } from './values.ts';

const writeProblem = createProblemWriter(addresses.baseUrl);

/** The request that the refusals of the examples answer. */
const request = { path: '/api/v2/transaction', requestId };

/** What the service writes of a problem. */
export const problemBody = (one: Problem): unknown => JSON.parse(writeProblem(one, request).body);

/** What the gateway says by itself; it fills in its variable. */
export const gatewayProblemBody = (answer: GatewayAnswer): unknown =>
  JSON.parse(
    JSON.stringify(gatewayProblem(answer, addresses.baseUrl)).replaceAll('$context.requestId', requestId),
  );

const examples: { [Name in ProblemName]?: Problem } = {
  'invalid-parameters': problem('invalid-parameters', {
    errors: [{ field: 'filter[nope]', message: 'The filter is unknown.' }],
  }),
  'content-too-large': bodyProblem({ reason: 'too-large' }),
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

const ofService = (Object.keys(problems) as ProblemName[]).map((name) =>
  problemBody(examples[name] ?? problem(name)),
);

/** Said before any operation is looked for, by the gateway's front. */
const headersTooLarge: GatewayAnswer = {
  status: 431,
  title: 'Request Header Fields Too Large',
  paragraph: 'headers-too-large',
  detail: 'The address and the headers are larger than 10,240 bytes together.',
};

const ofGateway = [...new Set<GatewayAnswer>(Object.values(gatewayAnswers)), headersTooLarge]
  .filter(({ paragraph }) => !(paragraph in problems))
  .map(gatewayProblemBody);

/** One of each type that a caller may meet. */
export const problemExamples: unknown[] = [...ofService, ...ofGateway];
