import { z } from 'zod';
import { sessionLifetimeSeconds } from '../../../functions/shared/domain/session.ts';
import {
  accessTokenType,
  idTokenType,
  tokenExchangeGrant,
} from '../../../functions/v1-transaction/token-exchange.ts';
import { named } from './named.ts';

const token = z.string().min(1).max(16_384);

export const tokenExchange = named(
  z
    .object({
      grant_type: z
        .literal(tokenExchangeGrant)
        .describe('Always this name: one token is exchanged for another.'),
      subject_token: token.describe(
        'The ID token of the signed-in user, from the identity provider of your storefront; at most 10 minutes old.',
      ),
      subject_token_type: z
        .literal(idTokenType)
        .describe('Always this name: `subject_token` is an ID token.'),
      actor_token: token
        .optional()
        .describe('The token of the anonymous session that the user continues. It ends with this request.'),
      actor_token_type: z
        .literal(accessTokenType)
        .optional()
        .describe('Send it with `actor_token`: it is an access token.'),
      requested_token_type: z
        .literal(accessTokenType)
        .optional()
        .describe('Which token you want. There is this type alone.'),
    })
    .catchall(z.string().max(16_384)),
  'TokenExchange',
  { description: 'A sign-in, as a token exchange of RFC 8693.' },
);

export const sessionGrant = named(
  z.strictObject({
    access_token: z.string().describe('The token of the user’s session.'),
    issued_token_type: z
      .literal(accessTokenType)
      .describe('Always this name: `access_token` is an access token.'),
    token_type: z.literal('Bearer').describe('Always `Bearer`: send the token as `Authorization: Bearer …`.'),
    expires_in: z
      .literal(sessionLifetimeSeconds)
      .describe('For how many seconds the token is valid: 30 days.'),
  }),
  'SessionGrant',
  { description: 'A token of the session of a signed-in user (RFC 8693).' },
);
