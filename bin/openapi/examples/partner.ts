import { describePartner } from '../../../functions/v2-partner/partner-description.ts';
import { complete } from './transactions.ts';

const createdAtMs = Date.parse('2026-09-01T08:00:00Z');

export const partnerExample = describePartner(
  {
    partner: {
      clientId: 'exampleclient0000000000001',
      name: 'Harbour CRM',
      enabled: true,
      oauthScopes: ['nop2/read', 'nop2/write'],
      grants: [{ group: complete.ndMeta?.group ?? '' }],
      showsPaymentTokens: false,
      webhookUrl: 'https://crm.example/hooks',
      createdAtMs,
    },
    secrets: [{ id: 's1', madeBy: 'operator', createdAtMs, lastUsedOn: '2026-11-22' }],
  },
  new Date('2026-11-22T09:30:00Z'),
);
