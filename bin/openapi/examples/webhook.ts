import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { presentWebhook } from '../../../functions/v2-partner/webhook-view.ts';
import { addresses } from './addresses.ts';

const now = new Date('2026-11-22T09:32:00Z');
const setAtMs = Date.parse('2026-11-22T09:29:58Z');
const servedUrl = 'https://crm.example/hooks';

const partner: Partner = {
  clientId: 'exampleclient0000000000001',
  name: 'Harbour CRM',
  enabled: true,
  oauthScopes: ['nop2/read', 'nop2/webhook'],
  grants: [],
  showsPaymentTokens: false,
  webhookUrl: servedUrl,
  webhookSetAtMs: setAtMs,
  webhookChange: { by: 'partner', atMs: setAtMs },
  createdAtMs: Date.parse('2026-09-01T08:00:00Z'),
};

const _links = { self: { href: `${addresses.baseUrl}/v2/webhook` } };

const endpoint = { state: 'on', sinceMs: setAtMs + 60_000, servedUrl, servedSetAtMs: setAtMs } as const;

/** The first address serves, and events are sent. */
export const webhookExample = {
  ...presentWebhook({ partner, endpoint, isStopped: false }, now),
  _links,
};

/** A new address was just set. */
export const verifyingExample = {
  ...presentWebhook(
    {
      partner: { ...partner, webhookUrl: 'https://crm.example/new-hooks', webhookSetAtMs: setAtMs + 70_000 },
      endpoint,
      isStopped: false,
    },
    now,
  ),
  _links,
};

export const pausedExample = {
  ...presentWebhook({ partner: { ...partner, webhookPaused: 'partner' }, endpoint, isStopped: false }, now),
  _links,
};

const announced = { createdAt: now.toISOString(), _links };

export const nextSignatureExample = {
  signature: 'exampleSignature0000000000000000000000000000000000000000000000000',
  ...announced,
};
export const repeatedSignatureExample = announced;
