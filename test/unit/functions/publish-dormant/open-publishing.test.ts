import { expect, test } from '@jest/globals';
import { openPublishing } from '../../../../functions/publish-dormant/open-publishing.ts';
import { createDocumentClient } from '../../../../functions/shared/store/dynamodb/client.ts';

test.each([
  ['0', undefined],
  ['600', 600_000],
])(
  'EV-1 EV-2 120 s are a dormancy of 120,000 ms, and a bound of %s s is one of %s ms',
  (bound, maxHoldMs) => {
    process.env.AWS_REGION = 'eu-west-2';
    const tables = {
      TRANSACTIONS_TABLE: 'Transactions',
      PARTNERS_TABLE: 'Partners',
      DEBOUNCE_TABLE: 'Debounce',
    };
    const bus = { EVENT_BUS: 'bus', EVENT_SOURCE: 'svc.local.online-payments', STAGE: 'local' };
    const times = { DORMANCY_SECONDS: '120', MAX_HOLD_SECONDS: bound };

    const { settings } = openPublishing(createDocumentClient(), { ...tables, ...bus, ...times }, () => {});

    expect(settings).toEqual({
      dormancyMs: 120_000,
      leaseMs: 20_000,
      abandonMs: 12_000,
      ...(maxHoldMs && { maxHoldMs }),
    });
  },
);
