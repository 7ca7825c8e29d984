import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { partnerExample } from '../examples/partner.ts';
import { always, json } from '../parts/operation.ts';
import { correlation } from '../parts/parameters.ts';
import { lacksRead, twoTokensSent, unauthorized } from '../parts/refusals.ts';
import { readsAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { partner } from '../schemas/partner.ts';

/** V2-6. */
export const v2Partner: ZodOpenApiPathsObject = {
  '/api/v2/partner': {
    get: {
      operationId: 'getPartner',
      tags: ['Partner'],
      summary: 'Get your partner record',
      description:
        'Your name, OAuth scopes, grants and limits, the age of each secret, and the state of your webhook.',
      security: readsAsPartner,
      requestParams: { header: z.object(correlation) },
      responses: toPartner({
        '200': json({
          description: 'Your record as it is now.',
          schema: partner,
          examples: { partner: { summary: 'A partner that is replacing its secret', value: partnerExample } },
        }),
        '400': twoTokensSent,
        '401': unauthorized,
        '403': lacksRead,
        ...always,
      }),
    },
  },
};
