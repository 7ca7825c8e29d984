import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type Problem, problems, writeProblemJson } from '../../../functions/shared/http/problem.ts';
import { problem } from '../schemas/problem.ts';
import { onEvery } from './headers.ts';

/** The request that the refusals of the examples answer. */
const request = { path: '/api/v2/transaction', requestId: '5b0c4f1e-6a0a-4c1e-9c43-1f2d8f0f3f5b' };

type Refusal = {
  /** By a few words that tell one from another. */
  examples: { [summary: string]: Problem };
  headers?: { [name: string]: z.ZodType };
};

/** A refusal as an answer of the document; its examples are what the service's own writer makes of each problem. */
export const refusal = (id: string, { examples, headers = {} }: Refusal): ZodOpenApiResponseObject => {
  const [first] = Object.values(examples);
  if (!first) throw new Error(`The refusal ${id} has no example`);
  return {
    id,
    description: problems[first.problem].detail,
    headers: z.object({ ...onEvery, ...headers }),
    content: {
      'application/problem+json': {
        schema: problem,
        examples: Object.fromEntries(
          Object.entries(examples).map(([summary, one]) => [
            nameOf(summary),
            { summary, value: bodyOf(one) },
          ]),
        ),
      },
    },
  };
};

const nameOf = (summary: string) => summary.toLowerCase().replaceAll(/\W+/g, '-');

const bodyOf = (one: Problem): unknown => JSON.parse(writeProblemJson(one, request).body);
