import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

const shop = 'https://shop.example';
let stage: TestStage;

beforeAll(async () => {
  stage = await startStage();
  const operator = createOperatorTool(root, join(stage.dataDir, 'stack.json'));
  const north = [
    '--name',
    'north',
    '--group',
    'G',
    '--franchise',
    'F',
    '--location',
    'N',
    '--branch',
    'North',
  ];
  const south = [
    '--name',
    'south',
    '--group',
    'G',
    '--franchise',
    'F',
    '--location',
    'S',
    '--branch',
    'South',
  ];
  await operator('storefront', 'create', ...north, '--origin', shop);
  await operator('storefront', 'create', ...south, '--origin', shop);
}, 120_000);

afterAll(async () => stage.stop(), 30_000);

const aBrowser = ({ origin = shop }: { origin?: string } = {}) => aBrowserOn(stage, origin);

describe('a buyer', () => {
  test('V1-1 V1-2 creates a transaction, comes back with the token, and is refused without', async () => {
    const buyer = aBrowser();

    const created = await buyer.send('/api/transaction?expand=ndMeta');
    const again = await buyer.send('/api/transaction?expand=ndMeta');
    const byUuid = await buyer.send(`/api/transaction?uuid=${created.body.uuid}&expand=ndMeta`);
    const stranger = await aBrowser().send(`/api/transaction?uuid=${created.body.uuid}`);

    expect(created.status).toBe(200);
    expect(created.body.ndMeta).toEqual({
      group: 'G',
      franchise: 'F',
      branch: 'North',
      location: 'N',
      groupSoftware: null,
    });
    expect(created.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect([again.body, byUuid.body]).toEqual([created.body, created.body]);
    expect([again.token, byUuid.token]).toEqual([created.token, created.token]);
    expect({ status: stranger.status, token: stranger.token }).toEqual({ status: 404, token: null });
  });

  test('S-09 does not see what another buyer has', async () => {
    const one = aBrowser();
    const other = aBrowser();
    const mine = await one.send('/api/transaction?location=S');
    const theirs = await other.send('/api/transaction');

    const asked = await other.send(`/api/transaction?uuid=${mine.body.uuid}`);
    const listed = await other.send('/api/transaction?filter[status]=0');
    const filtered = await other.send(`/api/transaction?filter[uuid]=${mine.body.uuid}`);

    expect(asked.status).toBe(404);
    expect(listed.body.data.map(({ uuid }: { uuid: string }) => uuid)).toEqual([theirs.body.uuid]);
    expect(filtered.body).toMatchObject({ data: [], _meta: { totalCount: 0 } });
  });

  test('V1-3 follows the links of the own list', async () => {
    const buyer = aBrowser();
    const { body: created } = await buyer.send('/api/transaction');

    const { body } = await buyer.send('/api/transaction/?filter[status]=0&fields=uuid');
    const self = await buyer.send(body._links.self.href.slice(stage.baseUrl.length));

    expect(body._links.self.href).toBe(
      `${stage.baseUrl}/transaction?filter%5Bstatus%5D=0&fields=uuid&page=1&per-page=10`,
    );
    expect(self.body.data).toEqual([{ uuid: created.uuid }]);
  });

  test('V1-7 is let through by its own shop only', async () => {
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } };

    const own = await aBrowser().send('/api/transaction', preflight);
    const evil = await aBrowser({ origin: 'https://evil.example' }).send('/api/transaction', preflight);
    const created = await aBrowser().send('/api/transaction');

    expect(own.status).toBe(204);
    expect(own.headers.get('access-control-allow-origin')).toBe(shop);
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
    expect(created.headers.get('access-control-expose-headers')).toContain('authentication-token');
    expect(created.headers.get('cache-control')).toBe('no-store');
  });

  test('OWN-1 cannot buy where no storefront is registered', async () => {
    const elsewhere = await aBrowser({ origin: 'https://evil.example' }).send('/api/transaction');
    const nowhere = await aBrowser().send('/api/transaction?location=nowhere');

    expect([elsewhere.status, nowhere.status]).toEqual([403, 403]);
    expect([elsewhere.token, nowhere.token]).toEqual([null, null]);
  });

  test('V1-4 TH-02 asking without meaning it makes nothing', async () => {
    const buyer = aBrowser();
    const { body: first } = await buyer.send('/api/transaction');

    const head = await aBrowser().send('/api/transaction', { method: 'HEAD' });
    const prefetch = await aBrowser().send('/api/transaction', { headers: { 'Sec-Purpose': 'prefetch' } });
    const own = await buyer.send('/api/transaction', { method: 'HEAD' });
    const { body: list } = await buyer.send('/api/transaction?filter[status]=0');

    expect([head, prefetch].map(({ status, token }) => ({ status, token }))).toEqual([
      { status: 200, token: null },
      { status: 204, token: null },
    ]);
    expect(own.token).toBe(buyer.state.token);
    expect(list.data.map(({ uuid }: { uuid: string }) => uuid)).toEqual([first.uuid]);
  });

  test('V1-5 R-07 its token opens nothing of the partners', async () => {
    const buyer = aBrowser();
    await buyer.send('/api/transaction');

    const { status, token } = await buyer.send('/api/v2/transaction');

    expect({ status, token }).toEqual({ status: 401, token: null });
  });

  test('ERR-4 ERR-5 is never answered with a fault, whatever it sends', async () => {
    const buyer = aBrowser();
    await buyer.send('/api/transaction');
    const long = 'x'.repeat(3000);
    const queries = [
      `uuid=${long}`,
      `filter[uuid]=${long}`,
      `filter[identifiers][ndstockid]=${long}`,
      `filter[identifiers][salesmasterid]=%00%EF%BF%BF`,
      `filter[status]=0&after=${long}&page=1000000000`,
      `location=${long}`,
      'a[b][c][d][e]=1',
      'uuid=%E0%A4%A',
      '&=&==&filter',
    ];

    const answers = await Promise.all(queries.map((query) => buyer.send(`/api/transaction?${query}`)));

    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(answers.map(({ headers }) => headers.has('request-id'))).toEqual(queries.map(() => true));
  });

  test('S-25 the token is in no line that the service logged', async () => {
    const buyer = aBrowser();
    await buyer.send('/api/transaction');
    await buyer.send('/api/transaction?uuid=x');

    const folder = join(stage.dataDir, 'logs');
    const logged = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

    expect(logged.join('')).toContain('HTTP_ANSWERED');
    expect(logged.join('')).not.toContain(buyer.state.token.split('.')[2]);
  });
});
