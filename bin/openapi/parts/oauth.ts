import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type OAuthRefusal, oauthRefusal } from '../../../functions/issue-token/oauth-response.ts';
import { type GatewayAnswer, gatewayOAuthError } from '../../../lib/constructs/api/gateway-answers.ts';
import { oauthError } from '../schemas/problem.ts';
import { onEvery, retryAfter } from './headers.ts';

/** A refusal by the token service. Its examples are the service's own texts. */
export const oauthAnswer = (
  id: string,
  reasons: readonly [OAuthRefusal, ...OAuthRefusal[]],
  headers: { [name: string]: z.ZodType } = {},
): ZodOpenApiResponseObject => {
  const bodies = reasons.map((reason) => [reason, JSON.parse(oauthRefusal(reason).body)] as const);
  return oauthAnswerOf(id, bodies, headers);
};

/** Refusals by the gateway itself, in the same texts. `more` are refusals by the service with the same status. */
export const gatewayOAuthAnswer = (
  id: string,
  answer: GatewayAnswer,
  more: readonly OAuthRefusal[] = [],
  headers: { [name: string]: z.ZodType } = retryAfter,
): ZodOpenApiResponseObject =>
  oauthAnswerOf(
    id,
    [
      ['gateway', gatewayOAuthError(answer)],
      ...more.map((reason) => [reason, JSON.parse(oauthRefusal(reason).body)] as const),
    ],
    headers,
  );

type Body = { error: string; error_description: string };

/** An error response of RFC 6749 section 5.2 with these bodies. */
export const oauthAnswerOf = (
  id: string,
  bodies: readonly (readonly [string, Body])[],
  headers: { [name: string]: z.ZodType },
): ZodOpenApiResponseObject => {
  return {
    id,
    description:
      bodies.length === 1
        ? (bodies[0]?.[1].error_description ?? id)
        : 'Refused. `error_description` says why.',
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
