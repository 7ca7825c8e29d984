import { z } from 'zod';
import { addressSchema, webhookChangeSchema } from '../../../functions/v2-partner/webhook-request.ts';
import { selfLinks } from './links.ts';
import { describeMembers, named } from './named.ts';

const time = (what: string) => z.iso.datetime().describe(`${what}: ISO 8601, UTC.`);

/** When something was made, and its age. */
export const age = {
  createdAt: time('When it was created'),
  ageDays: z.int().min(0).describe('How many whole days ago that was.'),
};

/** The state of a webhook, in every answer that has it. */
export const webhookState = {
  state: z
    .enum(['off', 'verifying', 'on', 'paused', 'failing'])
    .describe(
      '`off`: no address. `verifying`: the address is being checked. `on`: events are sent. `paused`: events are kept until the webhook is resumed. `failing`: see `reason`.',
    ),
  since: z.iso
    .datetime()
    .nullable()
    .describe('Since when it is in this state: ISO 8601, UTC. Null if that is not known.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. Others can be added.',
    ),
  pausedBy: z
    .enum(['operator', 'partner'])
    .nullable()
    .describe('Who paused it. Only your operator can resume what your operator paused.'),
};

export const webhookSignatures = {
  signature: z.strictObject(age).describe('Age of the present value of `X-Webhook-Signature`.'),
  nextSignature: z
    .strictObject(age)
    .nullable()
    .describe(
      'Age of the next value, which no message carries until you switch to it. Null if there is none.',
    ),
};

export const lastWebhookChange = z
  .strictObject({
    at: time('When it was changed'),
    by: z.enum(['operator', 'partner']).describe('Who changed it: your operator, or you.'),
  })
  .nullable()
  .describe('When the webhook was last changed, and by whom.');

const links = selfLinks('Your webhook: its address and its state.');

export const webhook = named(
  z.strictObject({
    url: z.string().nullable().describe('The address that was set last; null if there is none.'),
    ...webhookState,
    servedUrl: z
      .string()
      .nullable()
      .describe('The address that events go to now: the former one until a new one has passed its check.'),
    ...webhookSignatures,
    lastChange: lastWebhookChange,
    _links: links,
  }),
  'Webhook',
  { description: 'The address of your webhook and its state.' },
);

/** Without `nop2/read` the answer to a change has only an address. */
const webhookReference = named(z.strictObject({ _links: links }), 'WebhookReference', {
  description: 'The address of the webhook resource.',
});

export const changedWebhook = named(z.union([webhook, webhookReference]), 'ChangedWebhook', {
  description: 'The webhook after the change. Without `nop2/read`, only its links.',
});

export const webhookAddress = named(addressSchema, 'WebhookAddress', {
  description: 'The address of a webhook.',
});

z.globalRegistry.add(addressSchema.shape.url, { format: 'uri', minLength: 1 });
describeMembers(addressSchema, { url: 'Where your events go: an `https` address with a public host name.' });

export const webhookChange = named(webhookChangeSchema, 'WebhookChange', {
  description: 'A change of a webhook, with at least one member.',
  minProperties: 1,
});

describeMembers(webhookChangeSchema, {
  paused: 'true pauses the webhook: events are kept. false resumes it.',
  signature: '`next` switches to the next signature. The former one is discarded.',
});

const announced = { createdAt: time('When the next value was created'), _links: links };

export const nextSignature = named(
  z.strictObject({
    signature: z.string().describe('The next value. It is shown only once: store it now.'),
    ...announced,
  }),
  'NextSignature',
  { description: 'A next value of `X-Webhook-Signature`.' },
);

export const repeatedSignature = named(z.strictObject(announced), 'RepeatedSignature', {
  description: 'The facts of a next value that was created before. It is not shown again.',
});
