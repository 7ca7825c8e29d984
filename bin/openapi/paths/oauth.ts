import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { gatewayAnswers } from '../../../lib/gateway-answers.ts';
import { addresses } from '../examples/addresses.ts';
import {
  activeExample,
  keySetExample,
  newSecretExample,
  repeatedSecretExample,
  resourceExample,
  serverExample,
  tokenExample,
  tokenRequestExample,
} from '../examples/tokens.ts';
import { cached, challenge, onEvery, rateLimited, replayed, retryAfter, tagged } from '../parts/headers.ts';
import { gatewayOAuthAnswer, oauthAnswer } from '../parts/oauth.ts';
import { json, notModified } from '../parts/operation.ts';
import { correlation, idempotent, unlessTagged } from '../parts/parameters.ts';
import { asClient, asNobody } from '../parts/security.ts';
import {
  authorizationServer,
  introspection,
  keySet,
  newSecret,
  protectedResource,
  repeatedSecret,
  secretRequest,
  tokenRequest,
  tokenResponse,
  tokenToJudge,
} from '../schemas/oauth.ts';

const tags = ['Tokens'];

/** The token service stands at an address of its own. */
const servers = [{ url: addresses.authUrl, description: 'Token service of production', 'x-internal': false }];

const faults: ZodOpenApiResponsesObject = {
  '429': gatewayOAuthAnswer('TooManyOAuthRequests', gatewayAnswers.THROTTLED),
  '500': oauthAnswer('OAuthFault', ['fault']),
  '503': oauthAnswer('OAuthUnavailable', ['unavailable'], retryAfter),
  '504': gatewayOAuthAnswer('OAuthTimeout', gatewayAnswers.INTEGRATION_TIMEOUT),
};

const refusals: ZodOpenApiResponsesObject = {
  ...faults,
  '401': oauthAnswer('InvalidClient', ['invalid-client'], challenge),
  '413': oauthAnswer('FormTooLarge', ['too-large']),
  '429': gatewayOAuthAnswer('TooManyWrongSecrets', gatewayAnswers.THROTTLED, ['guessing']),
};

const formFaults = ['wrong-content-type', 'malformed-form', 'two-authentications'] as const;

const noTokenNamed = oauthAnswer('MalformedTokenRequest', ['no-token', ...formFaults]);

type Form = Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'> & {
  schema: z.ZodType;
  example: unknown;
  success: ZodOpenApiResponseObject;
  refused: ZodOpenApiResponseObject;
};

const post = ({ schema, example, success, refused, ...about }: Form): ZodOpenApiPathsObject[string] => ({
  servers,
  post: {
    ...about,
    tags,
    security: asClient,
    requestParams: { header: z.object(correlation) },
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema,
          examples: { usual: { summary: 'With the client in Authorization: Basic', value: example } },
        },
      },
    },
    responses: { '200': success, '400': refused, ...refusals },
  },
});

type Document = Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'> & {
  schema: z.ZodType;
  example: unknown;
};

const published = ({ schema, example, ...about }: Document): ZodOpenApiOperationObject => ({
  ...about,
  tags,
  security: asNobody,
  requestParams: { header: z.object({ ...unlessTagged, ...correlation }) },
  responses: {
    '200': json({
      description: 'The document, which may be kept for as long as `Cache-Control` says.',
      schema,
      headers: { ...tagged, ...cached },
      examples: { document: { summary: 'The document', value: example } },
    }),
    '304': notModified({ ...tagged, ...cached }),
    ...faults,
  },
});

/** Interface 4.3, TOK-1 to TOK-3. */
export const oauth: ZodOpenApiPathsObject = {
  '/oauth2/token': post({
    operationId: 'issueToken',
    summary: 'Get an access token',
    description: 'Exchanges the client id and secret for an access token. Keep it for `expires_in` seconds.',
    schema: tokenRequest,
    example: tokenRequestExample,
    success: json({
      description: 'The token.',
      schema: tokenResponse,
      headers: cached,
      examples: { token: { summary: 'A token for an hour', value: tokenExample } },
    }),
    refused: oauthAnswer('InvalidTokenRequest', [
      'no-grant-type',
      'unsupported-grant-type',
      'unauthorized-client',
      'invalid-scope',
      ...formFaults,
    ]),
  }),
  '/oauth2/introspect': post({
    operationId: 'introspectToken',
    summary: 'Ask whether a token counts',
    description: 'RFC 7662. Tells of the client’s own tokens; any other text is inactive.',
    schema: tokenToJudge,
    example: { token: tokenExample.access_token },
    success: json({
      description: 'What is known of it.',
      schema: introspection,
      headers: cached,
      examples: {
        active: { summary: 'A token that counts', value: activeExample },
        inactive: { summary: 'Anything else', value: { active: false } },
      },
    }),
    refused: noTokenNamed,
  }),
  '/oauth2/revoke': post({
    operationId: 'revokeToken',
    summary: 'End a token',
    description: 'RFC 7009. The token ends within seconds; what is no token is as good as ended.',
    schema: tokenToJudge,
    example: { token: tokenExample.access_token },
    success: {
      description: 'The token does not count any more.',
      headers: z.object({ ...onEvery, ...cached }),
    },
    refused: oauthAnswer('NotRevoked', ['no-token', 'not-your-token', ...formFaults]),
  }),
  '/oauth2/secret': {
    servers,
    post: {
      operationId: 'makeSecret',
      tags,
      summary: 'Replace your client secret',
      description:
        'Makes a second client secret, shown this once; the one that you authenticate with works for `overlap_hours` more. Two work at most: any other ends now. Takes a client with the OAuth scope `nop2/webhook`, which authenticates by `Authorization: Basic`.',
      security: asClient,
      requestParams: { header: z.object({ ...idempotent, ...correlation }) },
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: secretRequest,
            examples: { usual: { summary: 'A day to change over', value: { overlap_hours: '24' } } },
          },
        },
      },
      responses: {
        '200': json({
          description: 'It was made by an earlier request with this `Idempotency-Key`.',
          schema: repeatedSecret,
          headers: { ...cached, ...replayed },
          examples: { repeated: { summary: 'Without the secret', value: repeatedSecretExample } },
        }),
        '201': json({
          description: 'The new secret.',
          schema: newSecret,
          headers: { ...cached, ...rateLimited },
          examples: { made: { summary: 'The secret', value: newSecretExample } },
        }),
        '400': oauthAnswer('InvalidSecretRequest', [
          ...(['no-self-service', 'replaced-secret', 'not-basic', 'invalid-overlap'] as const),
          ...(['malformed-key', 'key-of-another-body', ...formFaults] as const),
        ]),
        ...refusals,
        '409': oauthAnswer('SecretChangedMeanwhile', ['changed-meanwhile']),
        '429': gatewayOAuthAnswer('TooManySecrets', gatewayAnswers.THROTTLED, [
          'guessing',
          'too-many-changes',
        ]),
      },
    },
  },
  '/oauth2/jwks': {
    servers,
    get: published({
      operationId: 'getKeySet',
      summary: 'Read the public keys',
      description:
        'What verifies access tokens. The service does that itself; you need them only to look into a token.',
      schema: keySet,
      example: keySetExample,
    }),
  },
  '/.well-known/oauth-authorization-server': {
    servers,
    get: published({
      operationId: 'getAuthorizationServer',
      summary: 'Read the token service’s metadata',
      description: 'RFC 8414: endpoints and what they take, for libraries that configure themselves.',
      schema: authorizationServer,
      example: serverExample,
    }),
  },
  '/.well-known/oauth-protected-resource/api/v2': {
    get: published({
      operationId: 'getProtectedResource',
      summary: 'Read what tokens are for',
      description:
        'RFC 9728: the API that tokens open, and who issues them. Every 401 of V2 names this address.',
      schema: protectedResource,
      example: resourceExample,
    }),
  },
};
