import { z } from 'zod';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { named } from './named.ts';
import { age, lastWebhookChange, webhookSignatures, webhookState } from './webhook.ts';

const time = (what: string) => z.iso.datetime().describe(`${what}: ISO 8601, UTC.`);

const grant = z
  .strictObject({
    group: z.string().describe('The group whose transactions you may see, as an opaque hash.'),
    franchise: z.string().optional().describe('Only transactions of this franchise; absent for all of them.'),
    location: z.string().optional().describe('Only transactions of this location; absent for all of them.'),
    branches: z.array(z.string()).describe('Names of branches that are registered within it, 20 at most.'),
    branchCount: z
      .int()
      .min(0)
      .describe('How many branches are registered within it, those without a name above included.'),
  })
  .describe('A group, narrowed to a franchise, to a location or to both where they are named.');

const limits = z
  .strictObject({
    perPage: z
      .strictObject({
        default: z.int().describe('How many records a page holds if the request does not say.'),
        maximum: z.int().describe('How many records a page holds at most.'),
      })
      .describe('How large pages of lists are.'),
    queryParameters: z
      .strictObject({
        maximum: z.int().describe('How many query parameters a request may have.'),
        levels: z.int().describe('How many levels of brackets the name of one may have.'),
      })
      .describe('How large queries may be.'),
    requests: z
      .array(
        z.strictObject({
          name: z.string().describe('What is counted: `partner` is every request of yours.'),
          quota: z.int().describe('How many such requests you may make in a window.'),
          windowSeconds: z
            .int()
            .describe('How long a window is. It begins at a multiple of that since 1970.'),
        }),
      )
      .describe('Your quotas, as the header `RateLimit-Policy` has them.'),
  })
  .describe('What your requests may ask for, and how often.');

const secret = z
  .strictObject({
    id: z.string().describe('The id by which you and your operator speak of this secret.'),
    ...age,
    lastUsedOn: z.iso
      .date()
      .nullable()
      .describe('The last day on which a token was got with it. Null for never.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When it stops working: ISO 8601, UTC. Null where it has no end.'),
  })
  .describe('A client secret; never the secret itself.');

const webhook = z
  .strictObject({
    ...webhookState,
    host: z
      .string()
      .nullable()
      .describe('The host in the address of your webhook; null where there is none.'),
    lastFailure: z
      .strictObject({
        event: z.uuid().describe('The id of that event: `GET /api/v2/event/{id}` shows it.'),
        at: time('When the delivery gave up'),
        reason: z.string().describe('Why it gave up, by a word that stays the same: `HTTP_503`, `TIMEOUT`.'),
        status: z
          .int()
          .nullable()
          .describe('The HTTP status that your endpoint answered; null where it gave no answer.'),
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
    name: z.string().describe('The name that your operator registered you by.'),
    oauthScopes: z.array(z.enum(oauthScopeNames)).describe('Every OAuth scope that your tokens may have.'),
    grants: z.array(grant).describe('Which transactions you may see: the union of these.'),
    limits,
    secrets: z.array(secret).describe('Every client secret that works now.'),
    webhook,
  }),
  'Partner',
  { description: 'What the service knows of you.' },
);
