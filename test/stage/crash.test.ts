import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import type { DemoPartner } from '../../localstack/stack-file.ts';
import { root } from '../support/repository.ts';
import { until } from '../support/stage/messaging.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(180_000);

const file = join(root, 'localstack/demo/transactions.ndjson');
const lines = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const groups = [...new Set(lines.map(({ ndMeta }) => ndMeta.group))];

let stage: TestStage;
let partner: DemoPartner;
beforeAll(async () => {
  stage = await startStage();
  const grants = groups.flatMap((group) => ['--grant', `group=${group}`]);
  partner = (await operator('partner', 'create', '--name', 'all', ...grants)) as DemoPartner;
});
afterAll(() => stage.stop());

const operator = async (...args: string[]) => {
  const outcome = await createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore')(...args);
  return outcome.ok ? outcome.value : outcome.reason;
};

const get = async (url: string, token: string) => {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text}\n${stage.said()}`);
  return JSON.parse(text);
};

const token = async (): Promise<string> => {
  const answer = await fetch(`${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${partner.clientId}:${partner.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return JSON.parse(await answer.text()).access_token;
};

const total = async (bearer: string): Promise<number> =>
  (await get(`${stage.baseUrl}/api/v2/transaction?per-page=1`, bearer))._meta.totalCount;

/** Every record that the lists show, page by page along `next`. */
const allListed = async (bearer: string): Promise<string[]> => {
  const uuids: string[] = [];
  let url: string | undefined = `${stage.baseUrl}/api/v2/transaction?per-page=50`;
  while (url) {
    const page = await get(url, bearer);
    uuids.push(...page.data.map(({ uuid }: { uuid: string }) => uuid));
    url = page._links.next?.href;
  }
  return uuids;
};

describe('kill -9 of the whole stage during an import', () => {
  test('start again, import again: every transaction once, in the order of the file, and no drift', async () => {
    const bearer = await token();
    const broken = operator('transactions', 'import', file);
    await until(async () => (await total(bearer)) > 0);
    await stage.kill();
    await broken;

    stage = await stage.restart();
    const loaded = await total(await token());
    const summary = await operator('transactions', 'import', file);

    expect(loaded).toBeGreaterThan(0);
    expect(loaded).toBeLessThan(lines.length);
    expect(summary).toMatchObject({
      read: lines.length,
      unchanged: loaded,
      imported: lines.length - loaded,
      refused: [],
    });
    expect(await allListed(await token())).toEqual(lines.map(({ uuid }) => uuid));
    expect(await operator('listing', 'audit')).toMatchObject({ transactions: lines.length, drift: 0 });
  });
});
