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
      grant_type: z.literal(tokenExchangeGrant),
      subject_token: token.describe(
        'The ID token of the signed-in user, from the identity provider of your storefront; at most 10 minutes old.',
      ),
      subject_token_type: z.literal(idTokenType),
      actor_token: token
        .optional()
        .describe('The token of the anonymous session that the user continues. It ends with this request.'),
      actor_token_type: z.literal(accessTokenType).optional().describe('With `actor_token`.'),
      requested_token_type: z.literal(accessTokenType).optional(),
    })
    .catchall(z.string().max(16_384)),
  'TokenExchange',
  { description: 'RFC 8693.' },
);

export const sessionGrant = named(
  z.strictObject({
    access_token: z.string().describe('The token of the user’s session.'),
    issued_token_type: z.literal(accessTokenType),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(sessionLifetimeSeconds).describe('Seconds.'),
  }),
  'SessionGrant',
  { description: 'A token of the session of a signed-in user (RFC 8693..' },
);
