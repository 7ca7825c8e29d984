import { z } from 'zod';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { named } from './named.ts';

/** The token service takes no longer form. */
const formText = z.string().max(8192);

const scopeText = z
  .string()
  .describe(`OAuth scopes with a space between them: ${oauthScopeNames.join(', ')}.`);

const oneScope = `(${oauthScopeNames.join('|')})`;

/** Any of them, in any order, one space apart, or none (O-35 to O-41). In answers there may be others one day. */
const askedScopes = scopeText.regex(new RegExp(`^(${oneScope}( ${oneScope})*)?$`)).max(8192);

const clientInBody = {
  client_id: formText
    .optional()
    .describe('Only where the client does not authenticate by `Authorization: Basic`.'),
  client_secret: formText.optional().describe('With `client_id`.'),
};

/** What else a form has is not looked at, but has to be a form: each name once. */
const form = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).catchall(formText);

export const tokenRequest = named(
  form({
    grant_type: z.literal('client_credentials'),
    scope: askedScopes.optional(),
    ...clientInBody,
  }),
  'TokenRequest',
  { description: 'RFC 6749, section 4.4.2. Without `scope` the token has all that the client may have.' },
);

export const tokenResponse = named(
  z.strictObject({
    access_token: z.string().describe('A JWT (RFC 9068). To you it is opaque: send it as it is.'),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .min(1)
      .max(3600)
      .describe('Seconds. Keep the token for as long, then ask for another.'),
    scope: scopeText.optional().describe('What the token has, where the request did not say.'),
  }),
  'TokenResponse',
  { description: 'An access token.' },
);

export const tokenToJudge = named(
  form({
    token: formText.min(1).describe('The access token.'),
    token_type_hint: formText.optional().describe('Not looked at: there is one type of token.'),
    ...clientInBody,
  }),
  'TokenToJudge',
  { description: 'A token of the client (RFC 7662, RFC 7009).' },
);

export const secretRequest = named(
  form({
    overlap_hours: z
      .string()
      .regex(/^([1-9]|[1-9][0-9]|1[0-5][0-9]|16[0-8])?$/)
      .optional()
      .describe(
        'How many hours the present secret works on: a whole number from 1 to 168, 24 if absent or empty.',
      ),
  }),
  'SecretRequest',
  { description: 'How long the present secret works on. Authenticate by `Authorization: Basic`.' },
);

const secretFacts = {
  client_id: z.string(),
  client_secret_expires_at: z.literal(0).describe('RFC 7591: the new secret has no end.'),
  secret_id: z.string().describe('Id of the new secret, as `GET /api/v2/partner` lists it.'),
  former_secret_id: z.string().describe('Id of the secret that you authenticated with.'),
  former_secret_expires_at: z.int().describe('When that one ends: Unix timestamp, seconds.'),
};

export const newSecret = named(
  z.strictObject({ ...secretFacts, client_secret: z.string().describe('Shown this once.') }),
  'NewSecret',
  { description: 'A second client secret.' },
);

export const repeatedSecret = named(z.strictObject(secretFacts), 'RepeatedSecret', {
  description: 'That a secret was made. It is not shown again.',
});

export const introspection = named(
  z.union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      scope: scopeText,
      client_id: z.string(),
      token_type: z.literal('Bearer'),
      exp: z.int().describe('Unix timestamp, seconds.'),
      iat: z.int().describe('Unix timestamp, seconds.'),
      sub: z.string(),
      aud: z.string(),
      iss: z.string(),
      jti: z.string(),
    }),
  ]),
  'Introspection',
  {
    description:
      'Whether V2 takes the token (RFC 7662). Of any text that is no token of the client, nothing but that it is inactive.',
  },
);

export const keySet = named(
  z.strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('RSA'),
          use: z.literal('sig'),
          alg: z.literal('RS256'),
          kid: z.string(),
          n: z.string(),
          e: z.string(),
        }),
      )
      .min(1)
      .max(10),
  }),
  'KeySet',
  { description: 'The public keys that verify access tokens (RFC 7517).' },
);

const authMethods = z.array(z.enum(['client_secret_basic', 'client_secret_post']));
const scopes = z.array(z.enum(oauthScopeNames));

export const authorizationServer = named(
  z.strictObject({
    issuer: z.url(),
    token_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: scopes,
    response_types_supported: z.array(z.literal('none')),
    grant_types_supported: z.array(z.literal('client_credentials')),
    token_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint: z.url(),
    introspection_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: z.url(),
    revocation_endpoint_auth_methods_supported: authMethods,
  }),
  'AuthorizationServer',
  { description: 'Metadata of the token service (RFC 8414).' },
);

export const protectedResource = named(
  z.strictObject({
    resource: z.url(),
    authorization_servers: z.array(z.url()),
    scopes_supported: scopes,
    bearer_methods_supported: z.array(z.literal('header')),
  }),
  'ProtectedResource',
  { description: 'What access tokens are for, and who issues them (RFC 9728).' },
);
