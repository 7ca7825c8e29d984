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
    branches: z.array(z.string()).describe('Names of the branches within the grant, 20 at most.'),
    branchCount: z.int().min(0).describe('How many branches are within the grant.'),
  })
  .describe('A group, narrowed to a franchise, a location, or both.');

const limits = z
  .strictObject({
    perPage: z
      .strictObject({
        default: z.int().describe('How many records a page holds by default.'),
        maximum: z.int().describe('How many records a page holds at most.'),
      })
      .describe('Sizes of pages.'),
    queryParameters: z
      .strictObject({
        maximum: z.int().describe('How many query parameters a request may have.'),
        levels: z.int().describe('How many levels of brackets the name of a parameter may have.'),
      })
      .describe('Sizes of queries.'),
    requests: z
      .array(
        z.strictObject({
          name: z.string().describe('Name of the limit: `partner` counts all your requests.'),
          quota: z.int().describe('How many such requests you may make in a window.'),
          windowSeconds: z
            .int()
            .describe('Length of a window in seconds. Windows begin at multiples of it since 1970.'),
        }),
      )
      .describe('Your rate limits, as in the header `RateLimit-Policy`.'),
  })
  .describe('Limits of your requests.');

const secret = z
  .strictObject({
    id: z.string().describe('ID of the secret, for you and your operator.'),
    ...age,
    lastUsedOn: z.iso
      .date()
      .nullable()
      .describe('The last day on which it was used for a token. Null if never.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When it stops working: ISO 8601, UTC. Null if it does not.'),
  })
  .describe('A client secret; never the secret itself.');

const webhook = z
  .strictObject({
    ...webhookState,
    host: z.string().nullable().describe('The host in the address of your webhook; null if there is none.'),
    lastFailure: z
      .strictObject({
        event: z.uuid().describe('The id of that event, as in `GET /api/v2/event?filter[state]=failed`.'),
        at: time('When the delivery gave up'),
        reason: z.string().describe('Code of the reason: `HTTP_503`, `TIMEOUT`.'),
        status: z
          .int()
          .nullable()
          .describe('The HTTP status that your endpoint answered; null if there was no answer.'),
      })
      .nullable()
      .describe('The last failure among your newest 100 events.'),
    ...webhookSignatures,
    lastChange: lastWebhookChange,
  })
  .describe('Your webhook. Only the host of its address is shown, since the rest can contain a secret.');

export const partner = named(
  z.strictObject({
    name: z.string().describe('The name that your operator registered you by.'),
    oauthScopes: z.array(z.enum(oauthScopeNames)).describe('Every OAuth scope that your tokens may have.'),
    grants: z.array(grant).describe('Which transactions you may see: those of any of these grants.'),
    limits,
    secrets: z.array(secret).describe('Every client secret that works now.'),
    webhook,
  }),
  'Partner',
  { description: 'Your own record.' },
);
