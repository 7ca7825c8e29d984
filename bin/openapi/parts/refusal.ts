import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type Problem, problems } from '../../../functions/shared/http/problem.ts';
import type { GatewayAnswer } from '../../../lib/gateway-answers.ts';
import { gatewayProblemBody, problemBody } from '../examples/problems.ts';
import { problem } from '../schemas/problem.ts';
import { onEvery } from './headers.ts';

type Headers = { [name: string]: z.ZodType };

type Refusal = {
  /** By a few words that tell one from another. */
  examples: { [summary: string]: Problem };
  headers?: Headers;
};

/** A refusal as an answer of the document; its examples are what the service's own writer makes of each problem. */
export const refusal = (id: string, { examples, headers = {} }: Refusal): ZodOpenApiResponseObject => {
  const [first] = Object.values(examples);
  if (!first) throw new Error(`The refusal ${id} has no example`);
  return answerOf(id, {
    description: problems[first.problem].detail,
    examples: Object.entries(examples).map(([summary, one]) => [summary, problemBody(one)]),
    headers,
  });
};

/** What the gateway answers by itself. */
export const gatewayRefusal = (id: string, answer: GatewayAnswer, headers: Headers = {}) =>
  answerOf(id, {
    description: answer.detail,
    examples: [[answer.title, gatewayProblemBody(answer)]],
    headers,
  });

type Answer = { description: string; examples: [string, unknown][]; headers: Headers };

const answerOf = (id: string, { description, examples, headers }: Answer): ZodOpenApiResponseObject => ({
  id,
  description,
  headers: z.object({ ...onEvery, ...headers }),
  content: {
    'application/problem+json': {
      schema: problem,
      examples: Object.fromEntries(examples.map(([summary, value]) => [nameOf(summary), { summary, value }])),
    },
  },
});

const nameOf = (summary: string) => summary.toLowerCase().replaceAll(/\W+/g, '-');
