import { createDocument, type oas31 } from 'zod-openapi';
import { addresses } from './examples/addresses.ts';
import { securitySchemes } from './parts/security.ts';
import { documents } from './paths/documents.ts';
import { oauth } from './paths/oauth.ts';
import { v1Session } from './paths/v1-session.ts';
import { v1Transaction } from './paths/v1-transaction.ts';
import { v2Event } from './paths/v2-event.ts';
import { v2Orders } from './paths/v2-orders.ts';
import { v2Partner } from './paths/v2-partner.ts';
import { v2Payment } from './paths/v2-payment.ts';
import { v2Transaction } from './paths/v2-transaction.ts';
import { v2Webhook } from './paths/v2-webhook.ts';
import { webhooks } from './paths/webhooks.ts';
import { rendered } from './render.ts';

const tags = [
  { name: 'Tokens', description: 'The token service: access tokens for partners.' },
  { name: 'Transactions', description: 'V2: what partners read and change.' },
  { name: 'Payments', description: 'V2: payments that partners record.' },
  { name: 'Events', description: 'V2: what was and is being sent to your webhook.' },
  { name: 'Partner', description: 'V2: what the service knows of you, and your webhook.' },
  { name: 'Checkout', description: 'V1: the transaction of one end user’s session.' },
  { name: 'Documents', description: 'What the service publishes about itself.' },
  { name: 'Webhooks', description: 'What your endpoint is sent.' },
];

/** The description of the whole interface, made of the schemas that the service validates with. */
export const openApiDocument = (): oas31.OpenAPIObject =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Transactions',
        version: '2.0.0',
        description:
          'Checkout transactions for vehicle purchases: V1 for a checkout that acts for one end user, V2 for partners, and webhooks that notify partners of what changed.',
        license: { name: 'Proprietary', url: `${addresses.baseUrl}/docs` },
        contact: { name: 'The operator of your stage', url: `${addresses.baseUrl}/docs` },
      },
      servers: [
        {
          url: addresses.baseUrl,
          description: 'Transactions service of the stage that serves this document',
          'x-internal': false,
        },
      ],
      tags,
      security: [{ accessToken: ['nop2/read'] }],
      paths: {
        ...documents,
        ...oauth,
        ...v2Transaction,
        ...v2Payment,
        ...v2Event,
        ...v2Orders,
        ...v2Partner,
        ...v2Webhook,
        ...v1Transaction,
        ...v1Session,
      },
      webhooks,
      components: { securitySchemes },
    },
    { override: rendered, allowEmptySchema: { nonoptional: true, nullable: true } },
  ) as oas31.OpenAPIObject;
