import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { sessionLifetimeSeconds } from '../../../functions/shared/domain/session.ts';
import {
  accessTokenType,
  type ExchangeRefusal,
  exchangeRefusal,
  idTokenType,
  tokenExchangeGrant,
} from '../../../functions/v1-transaction/token-exchange.ts';
import { sessionTokenExample } from '../examples/values.ts';
import { cached, sessionToken } from '../parts/headers.ts';
import { oauthAnswerOf } from '../parts/oauth.ts';
import { always, json } from '../parts/operation.ts';
import { correlation } from '../parts/parameters.ts';
import { asNobody } from '../parts/security.ts';
import { inSession } from '../parts/session-refusals.ts';
import { sessionGrant, tokenExchange } from '../schemas/session.ts';

const refused = (id: string, reasons: readonly ExchangeRefusal[]) =>
  oauthAnswerOf(
    id,
    reasons.map((reason) => [reason, JSON.parse(exchangeRefusal(reason).body)] as const),
    cached,
  );

const signIn = {
  grant_type: tokenExchangeGrant,
  subject_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
  subject_token_type: idTokenType,
  actor_token: sessionTokenExample,
  actor_token_type: accessTokenType,
  requested_token_type: accessTokenType,
};

/** V1-10, RFC 8693. */
export const v1Session: ZodOpenApiPathsObject = {
  '/api/session': {
    post: {
      operationId: 'signIn',
      tags: ['Checkout'],
      summary: 'Sign in a buyer',
      description:
        'Exchanges an ID token of your storefront’s identity provider for a token of the buyer’s session, which is the same on every device. With `actor_token`, the transactions of that anonymous session move into it.',
      security: asNobody,
      requestParams: { header: z.object(correlation) },
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: tokenExchange,
            examples: {
              continuing: { summary: 'With an anonymous checkout', value: signIn },
            },
          },
        },
      },
      responses: {
        '200': json({
          description: 'The token of the buyer’s session.',
          schema: sessionGrant,
          headers: { ...sessionToken, ...cached },
          examples: {
            token: {
              summary: 'A token for 30 days',
              value: {
                access_token: sessionTokenExample,
                issued_token_type: accessTokenType,
                token_type: 'Bearer',
                expires_in: sessionLifetimeSeconds,
              },
            },
          },
        }),
        '400': refused('SignInRefused', [
          ...(['invalid-grant', 'no-identity-provider', 'wrong-content-type', 'malformed-form'] as const),
          ...(['no-grant-type', 'unsupported-grant-type', 'no-subject-token'] as const),
          ...(['wrong-actor-token', 'wrong-requested-type'] as const),
        ]),
        '409': inSession.full,
        '413': refused('SignInTooLarge', ['too-large']),
        ...always,
      },
    },
  },
};
