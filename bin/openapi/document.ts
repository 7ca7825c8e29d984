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
  { name: 'Tokens', description: 'Access tokens for partners, and the client secret.' },
  { name: 'Transactions', description: 'V2: list, read and change transactions.' },
  { name: 'Payments', description: 'V2: record payments.' },
  { name: 'Events', description: 'V2: see, test and replay what your webhook receives.' },
  { name: 'Partner', description: 'V2: your own record, and your webhook.' },
  { name: 'Checkout', description: 'V1: the transactions of one buyer’s session.' },
  { name: 'Documents', description: 'Descriptions and documentation of the service.' },
  { name: 'Webhooks', description: 'The requests that your endpoint receives.' },
];

/** The description of the whole interface, made from the schemas that the service validates with. */
export const openApiDocument = (): oas31.OpenAPIObject =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Transactions',
        version: '2.0.0',
        description:
          'Checkout transactions for vehicle purchases. V1 serves a checkout that acts for one buyer, V2 serves partners, and webhooks notify partners of changes.',
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
