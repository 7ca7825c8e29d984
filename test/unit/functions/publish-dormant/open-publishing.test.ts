import { expect, test } from '@jest/globals';
import { openPublishing } from '../../../../functions/publish-dormant/open-publishing.ts';
import { createDocumentClient } from '../../../../functions/shared/store/dynamodb/client.ts';

test('EV-1 EV-2 120 s are a dormancy of 120,000 ms', () => {
  process.env.AWS_REGION = 'eu-west-2';
  const tables = {
    TRANSACTIONS_TABLE: 'Transactions',
    PARTNERS_TABLE: 'Partners',
    DEBOUNCE_TABLE: 'Debounce',
  };
  const bus = { EVENT_BUS: 'bus', EVENT_SOURCE: 'svc.local.online-payments', STAGE: 'local' };
  const environment = { ...tables, ...bus, DORMANCY_SECONDS: '120' };

  const { settings } = openPublishing(createDocumentClient(), environment, () => {});

  expect(settings).toEqual({ dormancyMs: 120_000, leaseMs: 20_000, abandonMs: 12_000 });
});
