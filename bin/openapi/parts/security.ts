import type { oas31 } from 'zod-openapi';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';

const meanings = {
  'nop2/read': 'Read transactions, events and the partner’s own record.',
  'nop2/write': 'Change transactions, record payments, ask for events again.',
  'nop2/webhook':
    'Set, pause, test and remove your webhook, and rotate its signature. Your operator gives it by name.',
};

/** How callers prove who they are (interface 5). */
export const securitySchemes: { [name: string]: oas31.SecuritySchemeObject } = {
  accessToken: {
    type: 'oauth2',
    description:
      'V2. An access token by the client credentials grant, in `Authorization: Bearer …`: a JWT that is judged as RFC8725 and RFC9068 ask.',
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
      'Token service. The client id and the client secret, each form-encoded; they may stand in the body instead.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'V1. The token of `authentication-token`: a JWT that is judged as RFC8725 asks.',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description: 'Webhooks. The value that the operator gave you; a message with any other is not ours.',
  },
};

export const readsAsPartner: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/read'] }];
export const writesAsPartner: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/write'] }];
export const managesWebhook: oas31.SecurityRequirementObject[] = [{ accessToken: ['nop2/webhook'] }];
export const asClient: oas31.SecurityRequirementObject[] = [{ client: [] }];
export const asSession: oas31.SecurityRequirementObject[] = [{ session: [] }];
export const asSessionOrNobody: oas31.SecurityRequirementObject[] = [{ session: [] }, {}];
export const asNobody: oas31.SecurityRequirementObject[] = [];
