import { z } from 'zod';
import { addressSchema, webhookChangeSchema } from '../../../functions/v2-partner/webhook-request.ts';
import { selfLinks } from './links.ts';
import { named, tellOf } from './named.ts';

const time = (what: string) => z.iso.datetime().describe(`${what}: ISO 8601, UTC.`);

/** When something was made, and how long ago. */
export const age = {
  createdAt: time('When it was made'),
  ageDays: z.int().min(0).describe('How many whole days ago that was.'),
};

/** How a webhook stands, in every answer that tells of it. */
export const webhookState = {
  state: z
    .enum(['off', 'verifying', 'on', 'paused', 'failing'])
    .describe(
      '`off`: no address. `verifying`: the address is being checked, or set up. `on`: events are sent. `paused`: events are kept until it is resumed. `failing`: see `reason`.',
    ),
  since: z.iso
    .datetime()
    .nullable()
    .describe('Since when it is in this state: ISO 8601, UTC. Null where that is not known.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. There may be others one day.',
    ),
  pausedBy: z
    .enum(['operator', 'partner'])
    .nullable()
    .describe('Who paused it. What your operator paused, your operator resumes.'),
};

export const webhookSignatures = {
  signature: z.strictObject(age).describe('How old the value of `X-Webhook-Signature` is.'),
  nextSignature: z
    .strictObject(age)
    .nullable()
    .describe(
      'How old the next value is, which messages carry as `X-Webhook-Signature-Next` until you choose it. Null where there is none.',
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
    url: z.string().nullable().describe('The address that was set last; null where there is none.'),
    ...webhookState,
    servedUrl: z
      .string()
      .nullable()
      .describe('The address that events go to: the former one until a new one has passed its check.'),
    ...webhookSignatures,
    lastChange: lastWebhookChange,
    _links: links,
  }),
  'Webhook',
  { description: 'Where your events go, and how that stands.' },
);

/** Without `nop2/read` a change answers where to look, and nothing else.. */
const webhookReference = named(z.strictObject({ _links: links }), 'WebhookReference', {
  description: 'Where to look at the webhook.',
});

export const changedWebhook = named(z.union([webhook, webhookReference]), 'ChangedWebhook', {
  description: 'The webhook after the change; its links alone without `nop2/read`.',
});

export const webhookAddress = named(addressSchema, 'WebhookAddress', {
  description: 'The address of a webhook.',
});

z.globalRegistry.add(addressSchema.shape.url, { format: 'uri', minLength: 1 });
tellOf(addressSchema, { url: 'Where your events go: `https`, and a host that the internet knows by name.' });

export const webhookChange = named(webhookChangeSchema, 'WebhookChange', {
  description: 'A change of a webhook: one member at least.',
  minProperties: 1,
});

tellOf(webhookChangeSchema, {
  paused: 'Whether events are kept instead of sent.',
  signature: '`next`: the announced value counts from now on, and the former one is forgotten.',
});

const announced = { createdAt: time('When the next value was made'), _links: links };

export const nextSignature = named(
  z.strictObject({
    signature: z.string().describe('The next value. It is shown this once: store it now.'),
    ...announced,
  }),
  'NextSignature',
  { description: 'A next value of `X-Webhook-Signature`.' },
);

export const repeatedSignature = named(z.strictObject(announced), 'RepeatedSignature', {
  description: 'That a next value was made. It is not shown again.',
});
