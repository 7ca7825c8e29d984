import { partnerPolicy } from '../../../functions/shared/domain/rate-limit.ts';
import { describePartner } from '../../../functions/v2-partner/partner-description.ts';
import { configOf } from '../../../lib/config.ts';
import { eventId } from './messages.ts';
import { complete } from './transactions.ts';

const createdAtMs = Date.parse('2026-09-01T08:00:00Z');
const changedAtMs = Date.parse('2026-11-22T08:00:00Z');

const { group = '', franchise = '', location = '' } = complete.ndMeta ?? {};
const grant = { group };
const narrow = { group, franchise, location };

export const partnerExample = describePartner(
  {
    partner: {
      clientId: 'exampleclient0000000000001',
      name: 'Harbour CRM',
      enabled: true,
      oauthScopes: ['nop2/read', 'nop2/write'],
      grants: [grant, narrow],
      showsPaymentTokens: false,
      webhookUrl: 'https://crm.example/hooks',
      webhookSetAtMs: createdAtMs,
      webhookChange: { by: 'operator', atMs: createdAtMs },
      nextSignatureMadeAtMs: Date.parse('2026-11-20T10:00:00Z'),
      createdAtMs,
    },
    endpoint: {
      ...{ state: 'on', sinceMs: createdAtMs + 60_000, servedUrl: 'https://crm.example/hooks' },
      servedSetAtMs: createdAtMs,
    },
    secrets: [
      { id: 's1', madeBy: 'ada', createdAtMs, expiresAtMs: changedAtMs + 24 * 60 * 60 * 1000 },
      { id: 'Jq3kV9xT', madeBy: 'partner', createdAtMs: changedAtMs },
    ],
  },
  {
    isStopped: false,
    lastFailure: {
      ...{ event: eventId, at: '2026-11-21T18:04:00.000Z', reason: 'HTTP_503', status: 503 },
    },
    branches: new Map([
      [grant, ['Meridian Bath', 'Meridian Bristol']],
      [narrow, ['Meridian Bristol']],
    ]),
    uses: { s1: '2026-11-22' },
    partnerRate: partnerPolicy(configOf('production').partnerRequestsPerMinute),
  },
  new Date('2026-11-22T09:30:00Z'),
);
