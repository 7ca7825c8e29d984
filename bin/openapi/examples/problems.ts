import {
  createProblemWriter,
  type Problem,
  type ProblemName,
  problem,
  problems,
} from '../../../functions/shared/http/problem.ts';
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

const errors = [{ field: 'filter[nope]', message: 'The filter is unknown.' }];

const ofService = (Object.keys(problems) as ProblemName[]).map((name) =>
  problemBody(problem(name, name === 'invalid-parameters' ? { errors } : {})),
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
