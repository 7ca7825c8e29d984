import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readAddresses } from '../../../../bin/smoke/addresses.ts';
import { allChecks } from '../../../../bin/smoke/checks/all.ts';
import { inEmulator } from '../../../../bin/smoke/reach.ts';
import { countText, exitCodeOf, resultText } from '../../../../bin/smoke/report.ts';
import { runSmoke } from '../../../../bin/smoke/run.ts';
import { operatorOf, visitOf } from '../../../support/smoke/stage-stub.ts';

const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (content: unknown) => {
  const path = join(folder, 'file.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

const quietly = { id: '1', tell: () => {}, isStopped: () => false };

test('D-40 what a run makes is of its own group, and goes again', async () => {
  const { operator, commands } = operatorOf();
  const visit = visitOf();

  await runSmoke({ visit, checks: allChecks, operator, ...quietly });

  const estate = '--group smoke --franchise smoke --location smoke --branch smoke';
  expect(commands).toEqual([
    'storefront list',
    `storefront create --name smoke ${estate} --origin https://smoke.invalid`,
    'partner create --name smoke-1 --grant group=smoke',
    'partner delete smoke-1 --yes',
    'storefront delete smoke --yes',
  ]);
  const deleted = visit.asked.filter(({ body }) => body === '{"isDeleted":1}').map(({ path }) => path);
  expect(deleted).toEqual(['u1', 'u2', 'u3', 'u4'].map((uuid) => `/api/v2/transaction/${uuid}`));
});

test('D-40 with a partner that is given nothing is made or changed', async () => {
  const visit = { ...visitOf(), partner: { clientId: 'c', clientSecret: 'right' } };

  const results = await runSmoke({ visit, checks: allChecks, ...quietly });

  const written = visit.asked
    .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    .map(({ path }) => path);
  expect(new Set(written)).toEqual(new Set(['/api/v2/payment', 'auth/oauth2/token', 'auth/oauth2/revoke']));
  expect(results.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(results.filter(({ state }) => state === 'skipped').map(({ title }) => title.split(' ')[0])).toEqual([
    ...['S-40', 'V1-7', 'R-07', 'V1-6', 'V2-4', 'interface'],
  ]);
});

test('D-40 a group that a shop has is left alone', async () => {
  const { operator, commands } = operatorOf({
    operator: ([group, name]) =>
      group === 'storefront' && name === 'list' ? [{ name: 'leeds', group: 'smoke' }] : undefined,
  });

  const [first] = await runSmoke({ visit: visitOf(), checks: [], operator, ...quietly });

  expect(first).toMatchObject({
    state: 'failed',
    came: 'The group "smoke" has storefronts of others: leeds',
  });
  expect(commands).toEqual(['storefront list']);
});

test('D-40 a storefront without its partner goes at once', async () => {
  const { operator, commands } = operatorOf({
    operator: ([group, name]) =>
      group === 'partner' && name === 'create' ? new Error('the endpoint does not answer') : undefined,
  });

  await runSmoke({ visit: visitOf(), checks: [], operator, ...quietly });

  expect(commands.at(-1)).toBe('storefront delete smoke --yes');
});

test('D-40 a run that is stopped looks no further, and takes away what it made', async () => {
  const { operator, commands } = operatorOf();

  const results = await runSmoke({
    ...{ visit: visitOf(), checks: allChecks, operator, ...quietly },
    isStopped: () => true,
  });

  expect(results.map(({ title }) => title.split(' ')[0])).toEqual(['RUN-5', 'DEL-1']);
  expect(commands).toContain('partner delete smoke-1 --yes');
});

test('D-40 a check without an answer fails with its cause', async () => {
  const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  const visit = { ...visitOf(), send: () => Promise.reject(refused) };
  const checks = allChecks.filter(({ title }) => title.startsWith('ERR-5'));

  const results = await runSmoke({ visit, checks, ...quietly });

  expect(results.map(resultText)).toEqual([
    'FAILED  ERR-5 a well-formed correlation id comes back\n' +
      '        expected an answer\n' +
      '        came     fetch failed: connect ECONNREFUSED\n' +
      '        → see whether the gateway drops the header: functions/shared/middleware/respond.ts sets it',
  ]);
  expect(countText(results)).toBe('0 passed, 1 failed');
});

test('D-40 a run that looked at nothing has not passed', () => {
  expect(exitCodeOf([{ title: 'x', state: 'skipped', why: 'y' }])).toBe(1);
});

test('D-40 addresses are those of the outputs, with what API Gateway calls them', () => {
  const outputs = file({
    'transactions-staging-service': {
      BaseUrl: 'https://api.shop.example',
      AuthUrl: 'https://auth.shop.example',
      TokenApiEndpointD9A76F20: 'https://a.execute-api.eu-west-2.amazonaws.com/staging/',
      TransactionsApiEndpointA4F332F7: 'https://b.execute-api.eu-west-2.amazonaws.com/staging/',
    },
  });

  expect(readAddresses({ outputs, stackFile: '' })).toEqual({
    baseUrl: 'https://api.shop.example',
    authUrl: 'https://auth.shop.example',
    gatewayUrls: [
      'https://a.execute-api.eu-west-2.amazonaws.com/staging',
      'https://b.execute-api.eu-west-2.amazonaws.com/staging',
    ],
  });
});

test('D-40 a file that is none of the service is refused in a sentence', () => {
  expect(() => readAddresses({ outputs: file({}), stackFile: '' })).toThrow(
    /does not say where the stage answers/,
  );
  expect(() => readAddresses({ outputs: join(folder, 'none.json'), stackFile: '' })).toThrow(
    /none.json does not exist/,
  );
});

test("D-40 an emulator takes the id of an API in the path, and every other address is the stage's own", () => {
  const ofGateway = 'https://ab12.execute-api.eu-west-2.amazonaws.com/staging/v2?x=1';

  expect(inEmulator('http://127.0.0.1:4566', ofGateway)).toBe(
    'http://127.0.0.1:4566/_aws/execute-api/ab12/staging/v2?x=1',
  );
  expect(inEmulator(undefined, ofGateway)).toBe(ofGateway);
  expect(inEmulator('http://127.0.0.1:4566', 'https://api.shop.example/v2')).toBe(
    'https://api.shop.example/v2',
  );
});

test('D-40 of an emulator, connections are not looked at: it has no TLS', async () => {
  const checks = allChecks.filter(({ title }) => title.startsWith('O-56'));

  const results = await runSmoke({ visit: { ...visitOf(), isEmulated: true }, checks, ...quietly });

  expect(results.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped']);
});
