import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  cardPaymentExample,
  cardRecordExample,
  newPaymentExample,
  paymentRecordExample,
} from '../examples/payments.ts';
import { replayed, tagged } from '../parts/headers.ts';
import { always, json } from '../parts/operation.ts';
import { correlation, idempotent } from '../parts/parameters.ts';
import {
  badBody,
  badMembers,
  lacksWrite,
  noSuchTransaction,
  notJson,
  tooLargePayment,
  unauthorized,
} from '../parts/refusals.ts';
import { writesAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { newPayment } from '../schemas/payment.ts';
import { payment } from '../schemas/shown.ts';

/** V2-3. */
export const v2Payment: ZodOpenApiPathsObject = {
  '/api/v2/payment': {
    post: {
      operationId: 'createPayment',
      tags: ['Payments'],
      summary: 'Record a payment',
      description:
        'Records a payment of a transaction within your grants. The first payment with `status` 1 completes the transaction and sends TransactionCompleted at once. Send an `Idempotency-Key`, so that a retry does not record the payment twice.',
      security: writesAsPartner,
      requestParams: { header: z.object({ ...idempotent, ...correlation }) },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: newPayment,
            examples: {
              taken: { summary: 'A bank transfer that was received', value: newPaymentExample },
              card: { summary: 'A card payment with status 0', value: cardPaymentExample },
            },
          },
        },
      },
      responses: toPartner({
        '201': json({
          description: 'The payment record. `token` is null unless you may see it.',
          schema: payment,
          headers: { ...tagged, ...replayed },
          examples: {
            recorded: { summary: 'It completed the transaction', value: paymentRecordExample },
            card: {
              summary: 'A card payment, to a partner that may see its token',
              value: cardRecordExample,
            },
          },
        }),
        '400': badBody,
        '401': unauthorized,
        '403': lacksWrite,
        '404': noSuchTransaction,
        '413': tooLargePayment,
        '415': notJson,
        '422': badMembers,
        ...always,
      }),
    },
  },
};
