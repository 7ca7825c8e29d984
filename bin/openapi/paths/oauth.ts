import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { gatewayAnswers } from '../../../lib/constructs/api/gateway-answers.ts';
import { addresses } from '../examples/addresses.ts';
import { headersTooLarge } from '../examples/problems.ts';
import {
  activeExample,
  clientInBodyExample,
  keySetExample,
  newSecretExample,
  repeatedSecretExample,
  resourceExample,
  serverExample,
  tokenExample,
  tokenRequestExample,
} from '../examples/tokens.ts';
import {
  cached,
  clientChallenge,
  onEvery,
  rateLimited,
  replayed,
  retryAfter,
  tagged,
} from '../parts/headers.ts';
import { gatewayOAuthAnswer, oauthAnswer } from '../parts/oauth.ts';
import { json, notModified } from '../parts/operation.ts';
import { correlation, idempotent, unlessTagged } from '../parts/parameters.ts';
import { failed, tookTooLong, tooLargeHeaders, tooMany } from '../parts/refusals.ts';
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

/** The token service has an address of its own. */
const servers = [
  {
    url: addresses.authUrl,
    description: 'Token service of the stage that serves this document',
    'x-internal': false,
  },
];

const faults: ZodOpenApiResponsesObject = {
  '429': gatewayOAuthAnswer('TooManyOAuthRequests', gatewayAnswers.THROTTLED),
  '431': gatewayOAuthAnswer('OAuthHeadersTooLarge', headersTooLarge, [], {}),
  '500': oauthAnswer('OAuthFault', ['fault']),
  '502': gatewayOAuthAnswer('OAuthBadGateway', gatewayAnswers.DEFAULT_5XX),
  '503': oauthAnswer('OAuthUnavailable', ['unavailable'], retryAfter),
  '504': gatewayOAuthAnswer('OAuthTimeout', gatewayAnswers.INTEGRATION_TIMEOUT),
};

const refusals: ZodOpenApiResponsesObject = {
  ...faults,
  '401': oauthAnswer('InvalidClient', ['invalid-client'], clientChallenge),
  '413': oauthAnswer('FormTooLarge', ['too-large']),
  '429': gatewayOAuthAnswer('TooManyWrongSecrets', gatewayAnswers.THROTTLED, ['guessing']),
};

const formFaults = ['wrong-content-type', 'malformed-form', 'two-authentications'] as const;

const noTokenNamed = oauthAnswer('MalformedTokenRequest', ['no-token', ...formFaults]);

type Form = Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'> & {
  schema: z.ZodType;
  example: object;
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
          examples: {
            usual: { summary: 'With Authorization: Basic', value: example },
            body: {
              summary: 'With client ID and secret in the body',
              value: { ...example, ...clientInBodyExample },
            },
          },
        },
      },
    },
    responses: { '200': success, '400': refused, ...refusals },
  },
});

/** At the address of V2, the gateway answers in the form of V2. */
const besideV2 = ({ responses, ...operation }: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
  ...operation,
  responses: { ...responses, '429': tooMany, '431': tooLargeHeaders, '502': failed, '504': tookTooLong },
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
      description: 'The document. Cache it for as long as `Cache-Control` says.',
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
    description:
      'Exchanges your client ID and client secret for an access token. Keep the token, and get a new one a minute before `expires_in` seconds have passed.',
    schema: tokenRequest,
    example: tokenRequestExample,
    success: json({
      description: 'An access token, and for how long it is valid.',
      schema: tokenResponse,
      headers: cached,
      examples: {
        token: { summary: 'A token for an hour', value: tokenExample },
        unasked: {
          summary: 'For a request without scope',
          value: { ...tokenExample, scope: tokenRequestExample.scope },
        },
      },
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
    summary: 'Check whether a token is valid',
    description:
      'Says whether V2 accepts a token of yours, and until when (RFC 7662). Any other text is inactive.',
    schema: tokenToJudge,
    example: { token: tokenExample.access_token, token_type_hint: 'access_token' },
    success: json({
      description: 'Whether the token is valid, and what it is for.',
      schema: introspection,
      headers: cached,
      examples: {
        active: { summary: 'A valid token', value: activeExample },
        inactive: { summary: 'Anything else', value: { active: false } },
      },
    }),
    refused: noTokenNamed,
  }),
  '/oauth2/revoke': post({
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Ends an access token before it expires (RFC 7009). V2 refuses it within seconds. The answer is also 200 if the text is not a token.',
    schema: tokenToJudge,
    example: { token: tokenExample.access_token, token_type_hint: 'access_token' },
    success: {
      description: 'The token is no longer valid.',
      headers: z.object({ ...onEvery, ...cached }),
    },
    refused: oauthAnswer('NotRevoked', ['no-token', 'not-your-token', ...formFaults]),
  }),
  '/oauth2/secret': {
    servers,
    post: {
      operationId: 'makeSecret',
      tags,
      summary: 'Rotate your client secret',
      description:
        'Creates a second client secret and shows it this once. The secret that you authenticate with works for another `overlap_hours`. Any other secret ends at once. Needs the OAuth scope `nop2/webhook`, and `Authorization: Basic`.',
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
          description: 'An earlier request with this `Idempotency-Key` created it.',
          schema: repeatedSecret,
          headers: { ...cached, ...replayed },
          examples: { repeated: { summary: 'Without the secret', value: repeatedSecretExample } },
        }),
        '201': json({
          description: 'The new secret. It is shown this once.',
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
      summary: 'Get the public keys of access tokens',
      description:
        'The key set (JWKS, RFC 7517) that verifies access tokens. You need it only if you verify a token yourself.',
      schema: keySet,
      example: keySetExample,
    }),
  },
  '/.well-known/oauth-authorization-server': {
    servers,
    get: published({
      operationId: 'getAuthorizationServer',
      summary: 'Get the metadata of the token service',
      description:
        'Endpoints of the token service and what they accept (RFC 8414), for libraries that configure themselves.',
      schema: authorizationServer,
      example: serverExample,
    }),
  },
  '/.well-known/oauth-protected-resource/api/v2': {
    get: besideV2(
      published({
        operationId: 'getProtectedResource',
        summary: 'Get the metadata of the protected API',
        description:
          'The API that access tokens are for, and who issues them (RFC 9728). Every 401 of V2 names this address.',
        schema: protectedResource,
        example: resourceExample,
      }),
    ),
  },
};
