import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { decoded } from '../support/apis/token-service.ts';
import { operatorOf, partnerOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

jest.setTimeout(240_000);

let stage: TestStage;
let operate: ReturnType<typeof operatorOf>;
let partner: Credentials;
beforeAll(async () => {
  stage = await startStage();
  operate = operatorOf(stage);
  partner = await operate(...partnerOf('keys'));
}, 120_000);
afterAll(() => stage.stop());

/** A client with a token of its own; a refused one throws. */
const aClient = async () => {
  const { token, get } = await aPartnerProgram(stage, partner);
  const kid = String(decoded(token).header.kid);
  return { kid, status: async () => (await get('/api/v2/transaction')).status };
};

/** Does something again and again, with so many at once, until it is told to stop; what it saw, and how often. */
const keepAsking = (ask: () => Promise<string>, atOnce: number) => {
  const seen = new Map<string, number>();
  let isOver = false;
  const asking = Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      const what = await ask().catch(String);
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(asking);
    return Object.fromEntries(seen);
  };
};

test('TOK-3 access keys rotate while clients request and use tokens: nobody is refused', async () => {
  const kids = new Set<string>();
  const first = await aClient();
  const stop = keepAsking(async () => {
    const client = await aClient();
    kids.add(client.kid);
    return `${await client.status()} ${await first.status()}`;
  }, 4);

  for (let times = 1; times <= 2; times += 1) {
    // As it would be an hour later: a rotation then finds a key that was published for long enough.
    await openStageKeys(stage).age('access', 3_600_000);
    await operate('keys', 'rotate', 'access', '--yes');
    while (kids.size <= times) await pause(250);
  }
  const seen = await stop();
  console.info(`requests while access keys rotated: ${JSON.stringify(seen)}, signed by ${kids.size} keys`);

  expect(Object.keys(seen)).toEqual(['200 200']);
  expect(kids.size).toBe(3);
});

test('M-10 tokens of a removed access key are refused within 60 s, and new ones work at once', async () => {
  const leaked = await aClient();
  expect(await leaked.status()).toBe(200);

  await operate('keys', 'remove', leaked.kid, '--yes');
  const removedAtMs = performance.now();
  const stop = keepAsking(async () => `${(await aClient()).kid.length > 0}`, 1);
  while ((await leaked.status()) === 200) await pause(200);
  const seconds = (performance.now() - removedAtMs) / 1000;
  const seen = await stop();
  console.info(
    `a removed access key is refused after ${seconds.toFixed(1)} s; tokens meanwhile: ${JSON.stringify(seen)}`,
  );

  expect(seconds).toBeLessThan(60);
  expect(Object.keys(seen)).toEqual(['true']);
  let fresh = await aClient();
  for (; fresh.kid === leaked.kid; fresh = await aClient()) await pause(250);
  expect([await fresh.status(), await leaked.status()]).toEqual([200, 401]);
  const { keys } = (await (await fetch(`${stage.authUrl}/oauth2/jwks`)).json()) as {
    keys: { kid: string }[];
  };
  expect(keys.map(({ kid }) => kid)).not.toContain(leaked.kid);
  expect(keys.length).toBeGreaterThanOrEqual(2);
});
