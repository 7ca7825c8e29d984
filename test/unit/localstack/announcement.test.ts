import { expect, test } from '@jest/globals';
import { type Announced, announcement } from '../../../localstack/embedded/announcement.ts';

const partner = {
  ...{ name: 'northgate-crm', clientId: 'id', clientSecret: 'secret', webhookSignature: 'first' },
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
const trial = { partner, grants: partner.grants, open: ['one', 'two'], webhookUrl: here };

const said = (announced: object = {}, facts: object = {}) =>
  announcement({
    ...{ stack: { ...stack, ...facts }, folder: { log: '/data/stage.log', stack: '/data/stack.json' } },
    ...{ trials: [trial], seconds: 2 },
    signatureSentTo: () => 'first',
    signaturesOf: () => ['first'],
    ...announced,
  } as unknown as Announced);

test('RUN-1 says how long it took, and that it is for development', () => {
  expect(said()).toMatch(
    /^\nReady after 2\.0 s\. It is for development only, and listens on this machine alone\.\n/,
  );
});

test.each([
  ['two that are open', ['one', 'two'], ['one'], ['two']],
  ['the only one that is open', ['one'], ['one'], ['one']],
  ['nothing where none is open', [], [], []],
])('RUN-1 pays and changes %s', (_, open, paid, changed) => {
  const text = said({ trials: [{ ...trial, open }] });

  expect([...text.matchAll(/"transaction":"(\w+)"/g)].map(([, uuid]) => uuid)).toEqual(paid);
  expect([...text.matchAll(/-X PATCH .*transaction\/(\w+)/g)].map(([, uuid]) => uuid)).toEqual(changed);
  expect(text.includes('TransactionCompleted follows at once')).toBe(paid.length > 0);
});

test('RUN-1 each line to copy ends its answer with a line break', () => {
  const curls = said().match(/^ {2}curl .*/gm) ?? [];

  expect(curls).toHaveLength(4);
  expect(curls.filter((line) => !line.startsWith(String.raw`  curl -s -w '\n' `))).toEqual([]);
});

test('RUN-1 a secret that the service refuses is told with the way to another, and no line uses it', () => {
  const text = said({ trials: [] });

  expect(text).toContain(
    'Demo partner northgate-crm: the service refuses its first secret, or it may read nothing any more.\n  For a new secret: npm run operator -- partner rotate-secret northgate-crm\n',
  );
  expect(text).toContain('No demo partner may read any more: npm start -- --fresh creates them again.');
  expect(text).not.toMatch(/TOKEN=|secret {2}secret/);
});

test('RUN-1 a rotated signature is shown as it is sent, with the line by which the receiver learns it', () => {
  const accept = `The demo receiver refuses this signature until it is told: curl -X PUT -d signature=second ${here}\n`;

  const refused = said({ signatureSentTo: (url: string) => (url === here ? 'second' : undefined) });
  const accepted = said({ signatureSentTo: () => 'second', signaturesOf: () => ['second'] });

  expect(said()).toContain(`  signature      first\n  webhooks to    ${here}\n`);
  expect(refused).toContain(`  signature      second\n  webhooks to    ${here}\n                 ${accept}`);
  expect(accepted).toContain(`  signature      second\n  webhooks to    ${here}\n\n`);
});

test.each([
  ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000/'],
  [null, 'nowhere'],
])('RUN-1 webhooks to %s do not arrive here, and a line changes that', (webhookUrl, where) => {
  expect(said({ trials: [{ ...trial, webhookUrl }] })).toContain(
    [
      `  webhooks to    ${where}, not to the demo receiver. To have them here again:`,
      `                 npm run operator -- partner set-webhook northgate-crm --url ${here}\n`,
    ].join('\n'),
  );
});

test('RUN-1 without demo data it names the commands that create storefronts and partners', () => {
  const text = said({ trials: [] }, { receiverUrl: undefined, partners: [], storefronts: [] });

  expect(text).toContain('  npm run operator -- partner create --help\n');
  expect(text).not.toMatch(/curl|Webhooks/);
});

test('RUN-3 RUN-12 says that the clock is ahead, where it is, and how long the rest is on this start', () => {
  const ahead = said({}, { clock: { aheadMs: 2_682_000_000 } });

  expect(said()).not.toContain('clock');
  expect(ahead).toContain(
    "Its clock is 31 d 1 h ahead of this machine, as it was moved on the stage's page: npm start -- --fresh resets it and deletes the data.\n",
  );
  expect(said({}, { operator: { variables: { DORMANCY_SECONDS: '5' } } })).toContain(
    'TransactionUpdated follows 5 seconds after its last change',
  );
});
