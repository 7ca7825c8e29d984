import { z } from 'zod';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { named } from './named.ts';
import { age, lastWebhookChange, webhookSignatures, webhookState } from './webhook.ts';

const time = z.iso.datetime().describe('ISO 8601, UTC.');

const grant = z
  .strictObject({
    group: z.string(),
    franchise: z.string().optional(),
    location: z.string().optional(),
    branches: z.array(z.string()).describe('Names of branches that are registered within it, 20 at most.'),
    branchCount: z.int().min(0).describe('How many there are.'),
  })
  .describe('A group, narrowed to a franchise, to a location or to both where they are named.');

const limits = z
  .strictObject({
    perPage: z.strictObject({ default: z.int(), maximum: z.int() }),
    queryParameters: z.strictObject({
      maximum: z.int(),
      levels: z.int().describe('Levels of brackets in a name.'),
    }),
    requests: z
      .array(z.strictObject({ name: z.string(), quota: z.int(), windowSeconds: z.int() }))
      .describe('Quotas, as `RateLimit-Policy` tells them.'),
  })
  .describe('What requests may ask for.');

const secret = z
  .strictObject({
    id: z.string(),
    ...age,
    lastUsedOn: z.iso.date().nullable(),
    expiresAt: time.nullable(),
  })
  .describe('A client secret; never the secret itself.');

const webhook = z
  .strictObject({
    ...webhookState,
    host: z.string().nullable().describe('The host of its address.'),
    lastFailure: z
      .strictObject({
        event: z.uuid(),
        at: time,
        reason: z.string(),
        status: z.int().nullable().describe('What your endpoint answered, where it did.'),
      })
      .nullable()
      .describe(
        'The last event, among the newest hundred, with which the delivery gave up. What it is still trying, for up to 24 hours, is not here.',
      ),
    ...webhookSignatures,
    lastChange: lastWebhookChange,
  })
  .describe('Where events go; of the address the host alone, since the rest may hold a secret of yours.');

export const partner = named(
  z.strictObject({
    name: z.string(),
    oauthScopes: z.array(z.enum(oauthScopeNames)),
    grants: z.array(grant).describe('What you may see: the union of these.'),
    limits,
    secrets: z.array(secret),
    webhook,
  }),
  'Partner',
  { description: 'What the service knows of you.' },
);
