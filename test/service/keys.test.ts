import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createUserKeyReader } from '../../functions/shared/store/keys/user-key.ts';
import { createCredentialsReader } from '../../functions/shared/store/partners/credentials.ts';
import { decoded } from '../support/apis/token-service.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startReceiver } from '../support/stage/receivers.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

jest.setTimeout(90_000);

const shop = 'https://keys.example';
let stage: ServiceStage;
let operate: ReturnType<typeof operatorOf>;
let partner: Credentials;
beforeAll(async () => {
  stage = await openStage();
  operate = operatorOf(stage);
  partner = await operate(...partnerOf('keys'));
  await operate(...shopOf('keys', shop));
});
afterAll(() => stage.close());
endEngineAfterFile();

const kidOf = (token: string) => String(decoded(token).header.kid);
/** Callers with a token of their own: a partner's program, and a buyer's browser. */
const callers = {
  access: async () => {
    const { token, get } = await aPartnerProgram(stage, partner);
    return { kid: kidOf(token), status: async () => (await get('/api/v2/transaction')).status };
  },
  session: async () => {
    const first = aBrowserOn(stage, shop);
    await first.send('/api/transaction');
    const { token } = first.state;
    const status = async () => {
      const browser = aBrowserOn(stage, shop);
      browser.state.token = token;
      return (await browser.send('/api/transaction')).status;
    };
    return { kid: kidOf(token), status };
  },
};
const kinds = ['access', 'session'] as const;

/** New callers every ten seconds of more than a minute, which is longer than any function keeps keys. */
const askingOn = async (ask: (second: number) => Promise<void>) => {
  for (let second = 0; second <= 70; second += 10) {
    await ask(second);
    await stage.passTime(10_000);
  }
};
/** As it would be an hour later: a rotation then finds a key that was published for long enough. */
const rotate = async (kind: 'access' | 'session') => {
  await openStageKeys(stage).age(kind, 3_600_000);
  await operate('keys', 'rotate', kind, '--yes');
};
const tables = () => ({
  documents: documentsOf(clientOf(stage.endpoints.dynamodb)),
  partnersTable: stage.variables.PARTNERS_TABLE,
});

test('TOK-3 M-08 access and session keys rotate while tokens are requested and used: nobody is refused', async () => {
  const first = [await callers.access(), await callers.session()];
  const kids = { access: new Set<string>(), session: new Set<string>() };
  const statuses = new Set<number>();
  for (let times = 1; times <= 2; times += 1) {
    for (const kind of kinds) await rotate(kind);
    await askingOn(async () => {
      for (const kind of kinds) {
        const fresh = await callers[kind]();
        kids[kind].add(fresh.kid);
        statuses.add(await fresh.status());
      }
      for (const { status } of first) statuses.add(await status());
    });
  }

  expect([...statuses]).toEqual([200]);
  expect([kids.access.size, kids.session.size]).toEqual([3, 3]);
  expect(stage.logged('KEYS_ROTATED').map(({ keyKind }) => keyKind)).toEqual([...kinds, ...kinds]);
});

test.each(kinds)(
  'M-10 tokens of a removed %s key are refused within 60 s, and new ones work at once',
  async (kind) => {
    const leaked = await callers[kind]();
    const before = await leaked.status();
    const good: number[] = [];
    const fresh: number[] = [];

    await operate('keys', 'remove', leaked.kid, '--yes');
    await askingOn(async (second) => {
      if ((await leaked.status()) === 200) good.push(second);
      const caller = await callers[kind]();
      if (caller.kid !== leaked.kid) fresh.push(await caller.status());
    });
    const { entries } = await openStageKeys(stage).ringOf(kind);
    const { keys } = (await (await stage.ask('GET', '/oauth2/jwks')).json()) as { keys: { kid: string }[] };

    expect(before).toBe(200);
    expect(good.at(-1) ?? 0).toBeLessThan(60);
    expect(new Set(fresh)).toEqual(new Set([200]));
    expect(await leaked.status()).toBe(401);
    expect([...entries, ...keys].map(({ kid }) => kid)).not.toContain(leaked.kid);
    expect(entries.length).toBeGreaterThanOrEqual(2);
    expect(keys.length).toBeGreaterThanOrEqual(2);
  },
);

test('TOK-3 a secret is hashed with a new pepper when its time has come', async () => {
  const pepperIdNow = async () => {
    await callers.access();
    const { secrets = [] } = (await createCredentialsReader(tables()).credentialsOf(partner.clientId)) ?? {};
    return secrets[0]?.pepperId;
  };
  const former = await pepperIdNow();
  await operate('keys', 'rotate', 'pepper', '--yes');
  await stage.passTime(60_000);
  const early = await pepperIdNow();
  await stage.passTime(600_000);
  const { entries } = await openStageKeys(stage).ringOf('pepper');
  const [newest] = entries
    .filter(({ signsFromMs = Number.POSITIVE_INFINITY }) => signsFromMs <= Date.now())
    .toReversed();

  expect(early).toBe(former);
  expect(await pepperIdNow()).toBe(newest?.kid);
  expect(newest?.kid).not.toBe(former);
});

test('V1-10 TOK-7 a later deployment keeps the key of users’ sessions; CloudFormation gets its response without a type', async () => {
  const receiver = await startReceiver(({ path }) => (path.startsWith('/refused') ? 403 : 200));
  const event = (path: string) => ({
    RequestType: 'Update',
    ResponseURL: `http://127.0.0.1:${receiver.port}/${path}?X-Amz-Signature=s`,
  });
  const before = await createUserKeyReader(tables())();

  const taken = await stage.invoke('rotate-keys', event('answer'));
  const refused = await stage.invoke('rotate-keys', event('refused'));
  await receiver.stop();

  expect(before).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(await createUserKeyReader(tables())()).toBe(before);
  expect(receiver.received[0]).toMatchObject({
    ...{ method: 'PUT', path: '/answer?X-Amz-Signature=s', headers: { 'content-type': '' } },
    body: expect.stringContaining('"Status":"SUCCESS"'),
  });
  expect([taken.ok, refused]).toEqual([
    true,
    { ok: false, reason: 'threw Error: CloudFormation did not accept the response: 403' },
  ]);
});

test('S-70 a step of a rotation that fails throws, and the log says so', async () => {
  const step = { Step: 'finishSecret', SecretId: stage.variables.ACCESS_KEYS_SECRET };
  const { ok } = await stage.invoke('rotate-keys', { ...step, ClientRequestToken: 'f'.repeat(32) });

  expect(ok).toBe(false);
  expect(stage.logged('KEYS_FAILED')).toMatchObject([{ service: 'rotate-keys', level: 'ERROR' }]);
});
