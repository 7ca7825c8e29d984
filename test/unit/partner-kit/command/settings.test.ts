import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { needed, readSettings } from '../../../../partner-kit/src/command/settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (settings: object, mode: number) => {
  const file = join(folder, 'credentials.json');
  writeFileSync(file, JSON.stringify(settings));
  chmodSync(file, mode);
  return file;
};

describe('KIT-22 credentials come from where nobody else can read them', () => {
  test('variables are read by their names, and empty ones are absent', () => {
    const env = {
      TRANSACTIONS_CLIENT_ID: 'acme',
      TRANSACTIONS_CLIENT_SECRET: 's3cret',
      TRANSACTIONS_BASE_URL: '',
    };

    expect(readSettings({}, { env, folder })).toEqual({ clientId: 'acme', clientSecret: 's3cret' });
  });

  test('a file of mode 0600 is read, and no variable is mixed in', () => {
    const credentials = written({ clientId: 'acme', clientSecret: 's3cret', other: 1 }, 0o600);
    const env = { TRANSACTIONS_CLIENT_ID: 'bell' };

    expect(readSettings({ credentials }, { env, folder })).toEqual({
      clientId: 'acme',
      clientSecret: 's3cret',
    });
    expect(readSettings({}, { env: { TRANSACTIONS_CREDENTIALS: 'credentials.json' }, folder })).toEqual({
      clientId: 'acme',
      clientSecret: 's3cret',
    });
  });

  test.each([0o640, 0o604, 0o644])('a file that others can read (%i) is refused, with what to do', (mode) => {
    const credentials = written({ clientSecret: 's3cret' }, mode);

    expect(() => readSettings({ credentials }, { env: {}, folder })).toThrow(
      `${credentials} holds a secret, and other users can read it: chmod 600 ${credentials}`,
    );
  });

  test('a missing setting is named with its three places', () => {
    expect(() => needed({}, 'clientSecret')).toThrow(
      'TRANSACTIONS_CLIENT_SECRET is not set: export it, put "clientSecret" into a file for --credentials, or use --local beside a running local stage.',
    );
  });

  test('--local finds the stage of a parent folder, and its first demo partner', () => {
    mkdirSync(join(folder, '.local'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack));

    expect(readSettings({ local: true }, { env: {}, folder: join(folder, 'src') })).toEqual({
      ...{ baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787', clientId: 'id-1' },
      ...{ clientSecret: 'secret-1', webhookSignature: 'value-1', source: 'svc.local.online-payments' },
    });
    expect(() => readSettings({ local: true, partner: 'x' }, { env: {}, folder })).toThrow(
      'The local stage has no demo partner x; it has: one, two.',
    );
  });

  test('--local without a stage says how to start one', () => {
    expect(() => readSettings({ local: true }, { env: {}, folder })).toThrow(/npm start starts one/);
  });
});

const stack = {
  ...{ baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  receiverUrl: 'http://127.0.0.1:8788/webhooks',
  partners: [
    { name: 'one', clientId: 'id-1', clientSecret: 'secret-1', webhookSignature: 'value-1' },
    { name: 'two', clientId: 'id-2', clientSecret: 'secret-2', webhookSignature: 'value-2' },
  ],
  operator: { variables: { EVENT_SOURCE: 'svc.local.online-payments' } },
};
