import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type OAuthRefusal, oauthRefusal } from '../../../functions/issue-token/oauth-response.ts';
import { oauthError } from '../schemas/problem.ts';
import { onEvery } from './headers.ts';

/** A refusal of the token service; its examples are the service's own words. */
export const oauthAnswer = (
  id: string,
  reasons: readonly [OAuthRefusal, ...OAuthRefusal[]],
  headers: { [name: string]: z.ZodType } = {},
): ZodOpenApiResponseObject => {
  const bodies = reasons.map((reason) => [reason, JSON.parse(oauthRefusal(reason).body)] as const);
  return {
    id,
    description: bodies[0]?.[1].error_description,
    headers: z.object({ ...onEvery, ...headers }),
    content: {
      'application/json': {
        schema: oauthError,
        examples: Object.fromEntries(
          bodies.map(([reason, value]) => [reason, { summary: value.error_description, value }]),
        ),
      },
    },
  };
};
