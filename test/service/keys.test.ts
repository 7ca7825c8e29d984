import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { decoded } from '../support/apis/token-service.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf, partnerOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

jest.setTimeout(90_000);

let stage: ServiceStage;
let operate: ReturnType<typeof operatorOf>;
let partner: Credentials;
beforeAll(async () => {
  stage = await openStage();
  operate = operatorOf(stage);
  partner = await operate(...partnerOf('keys'));
});
afterAll(() => stage.close());
endEngineAfterFile();

/** A client with a token of its own. */
const aClient = async () => {
  const { token, get } = await aPartnerProgram(stage, partner);
  const kid = String(decoded(token).header.kid);
  return { kid, status: async () => (await get('/api/v2/transaction')).status };
};

/** New clients every five seconds of more than a minute, which is longer than any function keeps keys. */
const askingOn = async (ask: (second: number) => Promise<void>) => {
  for (let second = 0; second <= 65; second += 5) {
    await ask(second);
    await stage.passTime(5_000);
  }
};

test('TOK-3 access keys rotate while clients request and use tokens: nobody is refused', async () => {
  const first = await aClient();
  const kids = new Set<string>();
  const statuses = new Set<number>();
  for (let times = 1; times <= 2; times += 1) {
    // As it would be an hour later: a rotation then finds a key that was published for long enough.
    await openStageKeys(stage).age('access', 3_600_000);
    await operate('keys', 'rotate', 'access', '--yes');
    await askingOn(async () => {
      const client = await aClient();
      kids.add(client.kid);
      for (const status of [await client.status(), await first.status()]) statuses.add(status);
    });
  }

  expect([...statuses]).toEqual([200]);
  expect(kids.size).toBe(3);
});

test('M-10 tokens of a removed access key are refused within 60 s, and new ones work at once', async () => {
  const leaked = await aClient();
  const before = await leaked.status();
  const good: number[] = [];
  const fresh: number[] = [];

  await operate('keys', 'remove', leaked.kid, '--yes');
  await askingOn(async (second) => {
    if ((await leaked.status()) === 200) good.push(second);
    const client = await aClient();
    if (client.kid !== leaked.kid) fresh.push(await client.status());
  });
  const { keys } = (await (await stage.ask('GET', '/oauth2/jwks')).json()) as { keys: { kid: string }[] };

  expect(before).toBe(200);
  expect(good.at(-1) ?? 0).toBeLessThan(60);
  expect(new Set(fresh)).toEqual(new Set([200]));
  expect(await leaked.status()).toBe(401);
  expect(keys.map(({ kid }) => kid)).not.toContain(leaked.kid);
  expect(keys.length).toBeGreaterThanOrEqual(2);
});
