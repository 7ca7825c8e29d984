import type { oas31 } from 'zod-openapi';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';

const meanings = {
  'nop2/read': 'Read transactions, events and your own record.',
  'nop2/write': 'Change transactions, record payments, replay events.',
  'nop2/webhook': 'Manage your webhook, rotate its signature and your client secret. Only on request.',
};

/** How callers authenticate (interface 5). */
export const securitySchemes: { [name: string]: oas31.SecuritySchemeObject } = {
  accessToken: {
    type: 'oauth2',
    description:
      'V2. An access token from the client credentials grant, as `Authorization: Bearer …`. It is a JWT, verified as RFC8725 and RFC9068 require.',
    flows: {
      clientCredentials: {
        tokenUrl: 'https://auth.transactions.example/oauth2/token',
        scopes: Object.fromEntries(oauthScopeNames.map((name) => [name, meanings[name]])),
      },
    },
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'Token service. The client ID and the client secret, each form-encoded. You can send them in the body instead.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'V1. The token in `authentication-token`. It is a JWT, verified as RFC8725 requires.',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description: 'Webhooks. The value that you and the service share. Refuse a message with any other.',
  },
};

export const readsAsPartner: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/read'] }];
export const writesAsPartner: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/write'] }];
export const managesWebhook: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/webhook'] }];
export const asClient: oas31.SecurityRequirementObject[] = [{ client: [] }];
export const asSession: oas31.SecurityRequirementObject[] = [{ session: [] }];
export const asSessionOrNobody: oas31.SecurityRequirementObject[] = [{ session: [] }, {}];
export const asNobody: oas31.SecurityRequirementObject[] = [];
