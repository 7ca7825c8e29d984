import { z } from 'zod';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { named } from './named.ts';

/** The longest form that the token service accepts. */
const formText = z.string().max(8192);

const scopeText = z.string().describe(`OAuth scopes, separated by spaces: ${oauthScopeNames.join(', ')}.`);

const oneScope = `(${oauthScopeNames.join('|')})`;

/** OAuth scopes in any order, separated by one space, or none (O-35 to O-41). Answers may have new ones in future. */
const askedScopes = scopeText.regex(new RegExp(`^(${oneScope}( ${oneScope})*)?$`)).max(8192);

const clientInBody = {
  client_id: formText.optional().describe('Your client ID, if you do not send `Authorization: Basic`.'),
  client_secret: formText.optional().describe('Your client secret, if you send `client_id`.'),
};

/** Other members of a form are ignored, but each name may occur only once. */
const form = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).catchall(formText);

export const tokenRequest = named(
  form({
    grant_type: z.literal('client_credentials').describe('Always `client_credentials`.'),
    scope: askedScopes.optional(),
    ...clientInBody,
  }),
  'TokenRequest',
  {
    description:
      'A request for a token (RFC 6749, section 4.4.2). Without `scope`, the token has every OAuth scope that you may have.',
  },
);

export const tokenResponse = named(
  z.strictObject({
    access_token: z.string().describe('The access token: a JWT (RFC 9068) that you send as it is.'),
    token_type: z.literal('Bearer').describe('Always `Bearer`: send the token as `Authorization: Bearer …`.'),
    expires_in: z
      .int()
      .min(1)
      .max(3600)
      .describe('For how many seconds the token is valid. Reuse it, and get a new one a minute before.'),
    scope: scopeText
      .optional()
      .describe('The OAuth scopes of the token, separated by spaces, if the request named none.'),
  }),
  'TokenResponse',
  { description: 'An access token, and how long it is valid.' },
);

export const tokenToJudge = named(
  form({
    token: formText.min(1).describe('The access token to check or to revoke.'),
    token_type_hint: formText.optional().describe('Ignored: there is only one type of token.'),
    ...clientInBody,
  }),
  'TokenToJudge',
  { description: 'An access token of yours (RFC 7662, RFC 7009).' },
);

export const secretRequest = named(
  form({
    overlap_hours: z
      .string()
      .regex(/^([1-9]|[1-9][0-9]|1[0-5][0-9]|16[0-8])?$/)
      .optional()
      .describe('For how many hours the present secret still works: 1 to 168, and 24 if absent or empty.'),
  }),
  'SecretRequest',
  { description: 'How long the present secret still works. Authenticate with `Authorization: Basic`.' },
);

const secretFacts = {
  client_id: z.string().describe('Your client id. It stays the same.'),
  client_secret_expires_at: z
    .literal(0)
    .describe('Always 0, which in RFC 7591 means that the new secret does not expire.'),
  secret_id: z.string().describe('ID of the new secret, as in `GET /api/v2/partner`.'),
  former_secret_id: z.string().describe('ID of the secret that you authenticated with.'),
  former_secret_expires_at: z.int().describe('When that secret ends: Unix timestamp, seconds.'),
};

export const newSecret = named(
  z.strictObject({
    ...secretFacts,
    client_secret: z.string().describe('The new client secret. It is shown only once: store it now.'),
  }),
  'NewSecret',
  { description: 'A second client secret.' },
);

export const repeatedSecret = named(z.strictObject(secretFacts), 'RepeatedSecret', {
  description: 'The facts of a secret that was created before. It is not shown again.',
});

export const introspection = named(
  z.union([
    z.strictObject({
      active: z.literal(false).describe('False: V2 does not accept it.'),
    }),
    z.strictObject({
      active: z.literal(true).describe('True: V2 accepts the token now.'),
      scope: scopeText,
      client_id: z.string().describe('The client that the token was issued to.'),
      token_type: z.literal('Bearer').describe('Always `Bearer`: whoever has the token may use it.'),
      exp: z.int().describe('When the token expires: Unix timestamp, seconds.'),
      iat: z.int().describe('When it was issued: Unix timestamp, seconds.'),
      sub: z.string().describe('The subject of the token: the same client.'),
      aud: z.string().describe('The address of the API that the token is for.'),
      iss: z.string().describe('The address of the token service that issued it.'),
      jti: z.string().describe('The id of this token, for logs. No two tokens share one.'),
    }),
  ]),
  'Introspection',
  {
    description:
      'Whether V2 accepts the token (RFC 7662). A text that is not a token of yours is only said to be inactive.',
  },
);

export const keySet = named(
  z.strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('RSA').describe('Type of the key: always RSA.'),
          use: z.literal('sig').describe('What the key is for: signatures.'),
          alg: z.literal('RS256').describe('The algorithm of its signatures: RSA with SHA-256.'),
          kid: z.string().describe('Id of the key. The header of each token names one.'),
          n: z.string().describe('The modulus of the key, in base64url.'),
          e: z.string().describe('The public exponent of the key, in base64url.'),
        }),
      )
      .min(1)
      .max(10)
      .describe(
        'Every key that can have signed a valid token. Keys change: read them again if a `kid` is unknown.',
      ),
  }),
  'KeySet',
  { description: 'The public keys that verify access tokens (RFC 7517).' },
);

const authMethods = z
  .array(z.enum(['client_secret_basic', 'client_secret_post']))
  .describe('How a client may send its secret there: in `Authorization: Basic`, or in the body.');
const scopes = z.array(z.enum(oauthScopeNames)).describe('Every OAuth scope that a token may have.');

export const authorizationServer = named(
  z.strictObject({
    issuer: z.url().describe('Address of the token service, as in `iss` of tokens.'),
    token_endpoint: z.url().describe('Where a client gets access tokens.'),
    jwks_uri: z.url().describe('Where the public keys of tokens are.'),
    scopes_supported: scopes,
    response_types_supported: z
      .array(z.literal('none'))
      .describe('Always `none`: there is no authorization endpoint.'),
    grant_types_supported: z
      .array(z.literal('client_credentials'))
      .describe('The only grant type is client credentials.'),
    token_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint: z.url().describe('Where a client checks its tokens.'),
    introspection_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: z.url().describe('Where a client revokes its tokens.'),
    revocation_endpoint_auth_methods_supported: authMethods,
  }),
  'AuthorizationServer',
  { description: 'Metadata of the token service (RFC 8414).' },
);

export const protectedResource = named(
  z.strictObject({
    resource: z.url().describe('Address of the API that tokens are for.'),
    authorization_servers: z.array(z.url()).describe('Who issues its tokens: only the token service.'),
    scopes_supported: scopes,
    bearer_methods_supported: z
      .array(z.literal('header'))
      .describe('How to send a token: only in the header `Authorization`.'),
  }),
  'ProtectedResource',
  { description: 'The API that access tokens are for, and who issues them (RFC 9728).' },
);
