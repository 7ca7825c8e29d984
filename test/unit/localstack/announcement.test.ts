import { expect, test } from '@jest/globals';
import { type Announced, announcement } from '../../../localstack/announcement.ts';

const partner = {
  ...{ name: 'northgate-crm', clientId: 'id', clientSecret: 'secret', webhookSignature: 'signature' },
  grants: [{ group: 'G1' }],
};
const stack = {
  ...{ baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  receiverUrl: 'http://127.0.0.1:8788/webhooks',
  partners: [partner],
  storefronts: [{ origins: [] }, { origins: ['http://localhost:3000'] }],
  clock: { aheadMs: 0 },
  operator: { variables: { DORMANCY_SECONDS: '120' } },
};
const here = 'http://127.0.0.1:8788/webhooks/northgate-crm';
const trial = { partner, grants: partner.grants, open: ['first', 'second'], webhookUrl: here };
const said = (trials: object[] = [trial], facts: object = {}) =>
  announcement({
    stage: { stack: { ...stack, ...facts }, folder: { logs: '/data/logs', stack: '/data/stack.json' } },
    ...{ trials, seconds: 2 },
  } as unknown as Announced);

test.each([
  ['two that are open', ['first', 'second'], ['first'], ['second']],
  ['the only one that is open', ['first'], ['first'], ['first']],
  ['nothing where none is open', [], [], []],
])('RUN-1 pays and changes %s', (_, open, paid, changed) => {
  const text = said([{ ...trial, open }]);

  expect([...text.matchAll(/"transaction":"(\w+)"/g)].map(([, uuid]) => uuid)).toEqual(paid);
  expect([...text.matchAll(/-X PATCH .*transaction\/(\w+)/g)].map(([, uuid]) => uuid)).toEqual(changed);
  expect(text.includes('TransactionCompleted follows at once')).toBe(paid.length > 0);
});

test('RUN-1 promises nothing where no demo partner may read, and says what helps', () => {
  const text = said([]);

  expect(text).toContain('No demo partner may read any more: npm start -- --fresh creates them again.');
  expect(text).toContain(
    'Demo partner northgate-crm\n  client id      id\n  client secret  secret\n  signature      signature\n  The service refuses this secret, or it may read nothing.\n',
  );
  expect(text).not.toContain('TOKEN=');
});

test.each([
  ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000/'],
  [null, 'nowhere'],
])(
  'RUN-1 says where webhooks appear: those to %s do not here, until they are set so',
  (webhookUrl, where) => {
    expect(said()).toContain(`  webhooks to    ${here}\n`);
    expect(said([{ ...trial, webhookUrl }])).toContain(
      [
        `  webhooks to    ${where}, not to the demo receiver. To have them here again:`,
        `                 npm run operator -- partner set-webhook northgate-crm --url ${here}\n`,
      ].join('\n'),
    );
  },
);

test('RUN-3 RUN-12 says that the clock is ahead, where it is', () => {
  expect(said()).not.toContain('clock');
  expect(said([trial], { clock: { aheadMs: 2_682_000_000 } })).toContain(
    'Its clock is 31 d 1 h ahead of this machine, as it was moved in the console: npm start -- --fresh resets it and deletes the data.\n',
  );
});
