import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import { startStage, type TestStage, until } from '../support/stage/stage.ts';

jest.setTimeout(180_000);

let stage: TestStage;
beforeAll(async () => {
  stage = await startStage({ demo: true, args: ['--dormancy-seconds', '2'] });
}, 120_000);
afterAll(() => stage.stop(), 30_000);

type Listed = { partner: string; type: string; uuid: string; link?: string; copies: number };

const webhooks = async (): Promise<Listed[]> =>
  JSON.parse(await (await fetch(String(stage.stack.receiverUrl))).text()).webhooks;

/** Runs two lines that the stage prints: the token, and the `curl` that holds this text. */
const copied = (part: string): string => {
  const lines = stage.said().split('\n');
  const token = lines.find((line) => line.startsWith('  TOKEN=')) ?? '';
  const wanted = lines.find((line) => line.startsWith('  curl ') && line.includes(part)) ?? '';
  const { stdout } = spawnSync('sh', ['-c', `${token} > /dev/null\n${wanted}`], { encoding: 'utf8' });
  return JSON.parse(stdout).uuid ?? JSON.parse(stdout).transaction_id;
};

const notified = (count: number) => until(() => stage.said().split('  TransactionUpdated  ').length > count);

describe('npm start shows it (RUN-1, RUN-3)', () => {
  test('says how long it takes, and where webhooks appear', () => {
    expect(stage.said()).toContain(`Webhooks arrive at the demo receiver, ${stage.stack.receiverUrl}`);
    expect(stage.said()).toContain('TransactionUpdated follows 2 seconds after its last change:');
  });

  test('the change that it prints is a line at its console a moment later', async () => {
    const uuid = copied('-X PATCH');

    expect(await notified(1)).toBe(true);
    expect(stage.said()).toMatch(
      new RegExp(
        `\\n\\d\\d:\\d\\d:\\d\\d  northgate-crm  TransactionUpdated    ${uuid.slice(0, 8)}…  customer  versions 1 → 2  new to this partner: read the API\\n`,
      ),
    );
    expect(await webhooks()).toMatchObject([
      { partner: 'northgate-crm', type: 'TransactionUpdated', uuid, link: 'starts-in-the-middle', copies: 1 },
    ]);
  });

  test('the payment that it prints is one at once, and another when it rests', async () => {
    copied('/api/v2/payment');

    expect(await notified(2)).toBe(true);
    expect((await webhooks()).map(({ type }) => type)).toEqual([
      ...['TransactionUpdated', 'TransactionCompleted', 'TransactionUpdated'],
    ]);
  });

  test('at another port the partners’ events go to the receiver there, which knows what it has', async () => {
    const before = await webhooks();
    stage = await stage.restart({ PORT: String(await freePortPair()) });
    copied('-X PATCH');

    expect(stage.said()).toContain(
      'Setting the demo’s webhooks and identity provider to their new addresses …',
    );
    expect(await notified(1)).toBe(true);
    const [latest, ...former] = await webhooks();
    expect(latest).toMatchObject({ type: 'TransactionUpdated', copies: 1 });
    expect(former).toEqual(before);
  });
});
