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
      grant_type: z.literal(tokenExchangeGrant).describe('Always this value, which names a token exchange.'),
      subject_token: token.describe(
        'The ID token of the buyer, from the identity provider of your storefront. It must be at most 10 minutes old.',
      ),
      subject_token_type: z
        .literal(idTokenType)
        .describe('Always this value: `subject_token` is an ID token.'),
      actor_token: token
        .optional()
        .describe('The token of the anonymous session that the buyer continues. It ends with this request.'),
      actor_token_type: z
        .literal(accessTokenType)
        .optional()
        .describe('Always this value. Send it with `actor_token`.'),
      requested_token_type: z
        .literal(accessTokenType)
        .optional()
        .describe('The type of token that you want. There is only this one.'),
    })
    .catchall(z.string().max(16_384)),
  'TokenExchange',
  { description: 'A sign-in, as a token exchange (RFC 8693).' },
);

export const sessionGrant = named(
  z.strictObject({
    access_token: z.string().describe('The token of the buyer’s session.'),
    issued_token_type: z
      .literal(accessTokenType)
      .describe('Always this value: `access_token` is an access token.'),
    token_type: z.literal('Bearer').describe('Always `Bearer`: send the token as `Authorization: Bearer …`.'),
    expires_in: z
      .literal(sessionLifetimeSeconds)
      .describe('For how many seconds the token is valid: 30 days.'),
  }),
  'SessionGrant',
  { description: 'A token of the session of a buyer who signed in (RFC 8693).' },
);
