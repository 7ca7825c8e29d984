import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type Problem, problems } from '../../../functions/shared/http/problem.ts';
import type { GatewayAnswer } from '../../../lib/constructs/api/gateway-answers.ts';
import { gatewayProblemBody, problemBody } from '../examples/problems.ts';
import { problem } from '../schemas/problem.ts';
import { onEvery } from './headers.ts';

type Headers = { [name: string]: z.ZodType };

type Refusal = {
  /** The examples, each with a short name. */
  examples: { [summary: string]: Problem };
  headers?: Headers;
  /** The path in its examples, if it is not that of transactions. */
  path?: string;
};

/** A refusal as an answer of the document. Its examples are written by the service's own code. */
export const refusal = (id: string, { examples, headers = {}, path }: Refusal): ZodOpenApiResponseObject => {
  const [first, ...others] = Object.values(examples);
  if (!first) throw new Error(`The refusal ${id} has no example`);
  return answerOf(id, {
    description:
      others.length === 0 ? problems[first.problem].detail : `One of: ${Object.keys(examples).join('; ')}.`,
    examples: Object.entries(examples).map(([summary, one]) => [summary, problemBody(one, path)]),
    headers,
  });
};

/** Answered by the gateway itself. */
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
    [mediaType]: {
      schema: problem,
      examples: Object.fromEntries(examples.map(([summary, value]) => [nameOf(summary), { summary, value }])),
    },
  },
});

/** The same refusal for requests of another path than `former`. */
export const answeredAt = (
  path: string,
  one: ZodOpenApiResponseObject,
  former = /^\//,
): ZodOpenApiResponseObject => {
  const content = one.content?.[mediaType];
  if (!content) return one;
  const examples = JSON.parse(JSON.stringify(content.examples), (name, value) =>
    name === 'instance' && former.test(value) ? path : value,
  );
  return { ...one, content: { [mediaType]: { ...content, examples } } };
};

const mediaType = 'application/problem+json';

const nameOf = (summary: string) => summary.toLowerCase().replaceAll(/\W+/g, '-');
