import { describe, expect, test } from '@jest/globals';
import { partnerEnv, runCommand } from '../../../support/partner-kit/command.ts';
import { tokenAnswer } from '../../../support/partner-kit/fake-service.ts';

const env = { ...partnerEnv, TRANSACTIONS_WEBHOOK_SIGNATURE: 'value-of-the-signature' };

describe('KIT-23 text for people, JSON for programs', () => {
  const transaction = {
    ...{ uuid: 'u', isDeleted: 0, document_id: null, priceAdjustment: { priceRule: false } },
    payments: [
      { value: '1.00', details: { brand: 'visa' } },
      { value: 'two\nlines', details: [] },
    ],
  };
  const fetch = async (input: unknown) => {
    if (String(input).includes('oauth2')) return tokenAnswer('t');
    if (String(input).includes('/transaction/')) return Response.json(transaction);
    return Response.json({
      data: [transaction],
      _links: {},
      _meta: { totalCount: 1, pageCount: 1, currentPage: 1 },
    });
  };
  const lines = [
    'uuid              u',
    'is deleted        0',
    'document id       -',
    'price adjustment',
    '  price rule  no',
    'payments',
    '  1',
    '    value    1.00',
    '    details',
    '      brand  visa',
    '  2',
    '    value    two lines',
    '    details  none',
  ];

  test('KIT-23 a transaction is shown by names in words', async () => {
    const one = await runCommand(['get', 'u'], { env, fetch });
    const listed = await runCommand(['list', '--fields', '*'], { env, fetch });

    expect(one.printed).toBe(`${lines.join('\n')}\n`);
    expect(listed.printed).toBe(`${lines.join('\n')}\n\nPage 1 of 1, total: 1.\n`);
  });

  test('KIT-23 under --json it is as the API has it', async () => {
    const { printed } = await runCommand(['get', 'u', '--json'], { env, fetch });

    expect(JSON.parse(printed)).toEqual(transaction);
  });

  test('KIT-23 the help of list says its order', async () => {
    expect((await runCommand(['list', '--help'])).printed).toContain('List transactions, oldest first.');
  });
});

describe('KIT-23 a failure is one sentence that says what to do', () => {
  const unknown = (word: string, meant: string) =>
    `Unknown command '${word}' (Did you mean ${meant}?). "--help" explains each command.\n`;

  test.each<[string[], unknown]>([
    // After the help.
    [[], expect.stringMatching(/\nName one of the commands\.\n$/)],
    [['attak'], unknown('attak', 'attack')],
    [['attak', '--help'], unknown('attak', 'attack')],
    [['events', 'lst', '--help'], unknown('lst', 'list')],
    [['help', 'events', 'lst'], unknown('lst', 'list')],
    [['attack'], 'Name the address of the receiver, such as http://localhost:3000/webhooks.\n'],
    [
      ['attack', 'localhost'],
      '"localhost" is not an address: write it like http://localhost:3000/webhooks.\n',
    ],
    [
      ['attack', 'https://hooks.example.com/in'],
      'hooks.example.com is not this machine: add --yes if you may attack it.\n',
    ],
    [['attack', 'http://127.0.0.1:1', '--only', 'nothing'], 'There is no check nothing: --help lists all.\n'],
    [
      ['trigger', 'WebhookTest', 'http://hooks.example.com/in'],
      'hooks.example.com is not this machine: http:// would expose your signature. Use https://.\n',
    ],
    [
      ['attack', '--yes', 'http://hooks.example.com/in'],
      'hooks.example.com is not this machine: http:// would expose your signature. Use https://.\n',
    ],
    [
      ['trigger', 'Paid', 'http://127.0.0.1:1'],
      '"Paid" is not an event type: choose one of TransactionUpdated, TransactionCompleted, WebhookTest.\n',
    ],
    [
      ['trigger', 'WebhookTest', 'http://127.0.0.1:1', '--to', '-1'],
      '--to is "-1" and must be a whole number from 0 to 999999999.\n',
    ],
    ...['1e3', '0x10', ' 80', '+80', '080', '8787.0', '', '65536'].map((port): [string[], string] => [
      ['listen', '--port', port],
      `--port is "${port}" and must be a whole number from 0 to 65535.\n`,
    ]),
    ...['0', '169', '1e2', ' 24', '024'].map((hours): [string[], string] => [
      ['secret', 'rotate', '--overlap-hours', hours],
      `--overlap-hours is "${hours}" and must be a whole number from 1 to 168.\n`,
    ]),
    [['list', '--page', '0'], '--page is "0" and must be a whole number from 1 to 1000000000.\n'],
    [
      ['events', 'list', '--since', 'monday'],
      '--since is "monday" and must be like 30m, 2h, 3d or 2026-11-22T12:00:00Z.\n',
    ],
    [['events', 'replay'], 'Name a time by --since, or what failed by --failed.\n'],
    [
      ['list', '--client-secret', 'x'],
      'A secret on the command line is visible in the list of processes, so it is not accepted: export TRANSACTIONS_CLIENT_SECRET.\n',
    ],
  ])('%j', async (args, sentence) => {
    const { exitCode, printed, noted } = await runCommand(args, { env });

    expect({ exitCode, printed, noted }).toEqual({ exitCode: 1, printed: '', noted: sentence });
  });

  test('a secret that the token service refuses: what to check', async () => {
    const fetch = async () =>
      Response.json(
        { error: 'invalid_client', error_description: 'Client authentication failed.' },
        { status: 401 },
      );

    expect(await runCommand(['whoami'], { env, fetch })).toMatchObject({
      exitCode: 1,
      noted:
        'The token service answered 401 invalid_client: Client authentication failed. Check the client id and the secret: a replaced secret ends, and each stage has its own.\n',
    });
  });

  test('with --json it is a document', async () => {
    const { printed, exitCode } = await runCommand(['whoami', '--json']);

    expect(exitCode).toBe(1);
    expect(JSON.parse(printed)).toEqual({
      error:
        'TRANSACTIONS_BASE_URL is not set: export it, put "baseUrl" into a file for --credentials, or use --local beside a running local stage.',
    });
  });

  test.each([
    ...['attack', 'trigger', 'list', 'get', 'whoami', 'events list', 'events replay'],
    ...['webhook show', 'webhook set', 'webhook pause', 'webhook resume', 'webhook remove', 'webhook rotate'],
    'secret rotate',
  ])('%s --help has an example', async (command) => {
    const { printed, exitCode } = await runCommand([...command.split(' '), '--help']);

    expect(exitCode).toBe(0);
    expect(printed).toContain(`  transactions-partner ${command}`);
  });
});

describe('KIT-22 no secret is printed', () => {
  test('a signature on the command line gets a warning, and is not repeated', async () => {
    const args = ['trigger', 'WebhookTest', 'http://127.0.0.1:1', '--signature', 'of-the-command-line'];
    const { noted, printed } = await runCommand(args, { env });

    expect(noted).toContain('--signature is visible in the list of processes');
    expect(noted + printed).not.toContain('of-the-command-line');
  });

  test.each(['list --fields guestEmail', 'get x'])('KIT-22 %s cannot control the terminal', async (line) => {
    const row = { guestEmail: 'a\u009b2J\u202e@b.example' };
    const body = { data: [row], ...row, _meta: {}, access_token: 't', expires_in: 3600 };
    const { printed } = await runCommand(line.split(' '), { env, fetch: async () => Response.json(body) });

    expect(printed).toContain('a?2J?@b.example');
  });

  test.each(['whoami', 'list', 'get x', 'events list', 'webhook show', 'secret rotate'])(
    '%s without a response shows neither secret nor value',
    async (line) => {
      const fetch = () =>
        Promise.reject(new TypeError(`fetch failed with ${env.TRANSACTIONS_CLIENT_SECRET}`));
      const { noted, printed, exitCode } = await runCommand(line.split(' '), { env, fetch });

      expect(exitCode).toBe(1);
      expect(noted + printed).not.toMatch(/client-secret|value-of-the-signature/);
    },
  );
});
