import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { configOf } from '../../lib/config.ts';
import { type Look, looks, sharedBrowser, type WatchedPage } from '../support/browser/browser.ts';
import {
  complaintsOf,
  delivery,
  openConsole,
  patience,
  press,
  restButton,
  row,
} from '../support/browser/console-page.ts';
import { randomFrom, seedOfRun } from '../support/builders/random.ts';
import { consoleOf } from '../support/stage/console.ts';
import { northgates } from '../support/stage/demo-stage.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

const rest = configOf('local').eventTimes.dormancySeconds;

jest.setTimeout(240_000);

let stage: TestStage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([startStage({ demo: true }), sharedBrowser()]);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await stage?.stop();
}, 30_000);

const opened: WatchedPage[] = [];
const open = async (look?: Look) => {
  const watched = await openConsole(browser, stage, look);
  opened.push(watched);
  return watched;
};
afterAll(async () => {
  for (const { close } of opened) await close();
});

/** Unpaid demo transactions of the partner northgate-crm, a different one for each test. */
const [broken = '', lost = '', kept = '', ...crowd] = northgates
  .filter(({ status, isDeleted }) => status === 0 && isDeleted === 0)
  .map(({ uuid }) => uuid);

describe('RUN-10 the console in a browser, with its stage', () => {
  test.each([looks[1], looks[2]])(
    '$name: no complaint, no other host, nothing serious for axe, nothing too wide',
    async (look) => {
      const watched = await open(look);

      expect(await complaintsOf(watched)).toEqual([]);
    },
  );

  test('a checkout of a new buyer, by V1, shows and is sent as any other change', async () => {
    const { page } = await open();

    await press(page, 'New checkout');
    const made = page.locator('#transactions li', { hasText: 'Robin Visitor' });
    await made.getByText('sent in').waitFor(patience);
    await press(page, restButton);

    await made.getByText('nothing to send').waitFor(patience);
    expect(await page.locator('#log').textContent()).toContain('v1-transaction  POST /api/transaction');
  });

  test('V1-10 a user who checks out on two devices has both checkouts', async () => {
    const { page } = await open();
    const said = page.locator('#said');

    await press(page, 'Check out as Ada');
    await said.getByText('ada signed in on a new device and has 1 open checkout on').waitFor(patience);
    await press(page, 'Check out as Ada');
    await said.getByText('and has 2 open checkouts').waitFor(patience);
    await press(page, 'Check out as Ben');
    await said.getByText('ben signed in on a new device and has 1 open checkout on').waitFor(patience);
  });

  test('a receiver that is broken is tried again, and has the event when it is mended', async () => {
    const { page } = await open();

    await page.getByRole('combobox', { name: 'northgate-crm' }).selectOption('answers 500');
    await press(page, `Edit ${broken.slice(0, 8)}`);
    await row(page, broken).getByText('sent in').waitFor(patience);
    await press(page, restButton);
    await page.locator('#log .bad', { hasText: 'status 500, retry' }).first().waitFor(patience);
    await page.getByRole('combobox', { name: 'northgate-crm' }).selectOption('healthy');
    await press(page, restButton);

    await delivery(page, broken, 'DELIVERED').first().waitFor(patience);
  });

  test('RUN-12 a day on, an event that nobody took is given up, and a token of before is none', async () => {
    const { page } = await open();
    const partner = stage.stack.partners.find(({ name }) => name === 'northgate-crm');
    if (!partner) throw new Error('The stage has no such partner.');
    const program = await aPartnerProgram(stage, partner);
    const read = async () => (await program.get(`/api/v2/transaction/${lost}`)).status;

    await page.getByRole('combobox', { name: 'northgate-crm' }).selectOption('answers 500');
    await press(page, `Edit ${lost.slice(0, 8)}`);
    await row(page, lost).getByText('sent in').waitFor(patience);
    await press(page, restButton);
    await delivery(page, lost, 'ACCEPTED').first().waitFor(patience);
    const before = await read();
    await press(page, '+25 h');
    const dead = delivery(page, lost, 'DEAD');
    await dead.locator('summary').click(patience);

    expect(await dead.textContent()).toContain('given up');
    expect([before, await read()]).toEqual([200, 401]);
  });
});

type Told = { uuid: string; type: string; range?: { from: number; to: number }; link?: string };
const notified = async (): Promise<Told[]> => {
  const { webhooks } = (await (await fetch(String(stage.stack.receiverUrl))).json()) as { webhooks: Told[] };
  return webhooks.toReversed().filter(({ type }) => type === 'TransactionUpdated');
};

describe('RUN-12 the clock of the stage', () => {
  test('moved at random among changes and sendings, it loses no event: what each transaction was sent joins without a gap', async () => {
    const random = randomFrom(seedOfRun('console'));
    const act = consoleOf(stage);
    await act({ do: 'receiver', partner: 'northgate-crm', condition: 'healthy' });
    const uuids = crowd.slice(0, 3);
    const edits = new Map(uuids.map((uuid) => [uuid, 0]));

    for (let round = 0; round < 14; round += 1) {
      const uuid = random.oneOf(uuids);
      const editing = act({ do: 'edit', uuid });
      if (random.isTrue(0.5)) await editing;
      await pause(random.integer(0, 400));
      await act({ do: 'clock', seconds: random.oneOf([rest, rest, 3_600, 90_000, 2_678_400]) });
      await editing;
      edits.set(uuid, (edits.get(uuid) ?? 0) + 1);
    }
    const wanted = new Map(
      [...edits].filter(([, count]) => count > 0).map(([uuid, count]) => [uuid, 1 + count]),
    );
    const lastNotified = async () =>
      new Map(
        (await notified()).filter(({ uuid }) => wanted.has(uuid)).map(({ uuid, range }) => [uuid, range?.to]),
      );
    const isNotified = async () => {
      const last = await lastNotified();
      return [...wanted].every(([uuid, version]) => last.get(uuid) === version);
    };
    for (let moves = 0; moves < 20 && !(await isNotified()); moves += 1) {
      await act({ do: 'clock', seconds: rest });
      await pause(1_500);
    }

    expect(await lastNotified()).toEqual(wanted);
    for (const uuid of wanted.keys()) {
      const ranges = (await notified()).filter((one) => one.uuid === uuid).map(({ range }) => range);
      expect(ranges[0]?.from).toBe(1);
      expect(ranges.slice(1).map((range) => range?.from)).toEqual(
        ranges.slice(0, -1).map((range) => range?.to),
      );
    }
  });

  test('RUN-10 after a restart the page comes back by itself, with the time as it was moved, and its buttons work', async () => {
    const { page } = await open();
    const aheadMs = aheadNow();

    stage = await stage.restart();
    await page.getByText('The stage does not answer').waitFor({ ...patience, state: 'hidden' });
    await page.getByText('Live', { exact: true }).waitFor(patience);
    await press(page, `Edit ${kept.slice(0, 8)}`);

    await row(page, kept).getByText('sent in').waitFor(patience);
    expect(stage.stack.clock.aheadMs).toBe(aheadMs);
    expect(aheadMs).toBeGreaterThan(0);
  });
});

const aheadNow = (): number =>
  JSON.parse(readFileSync(join(stage.dataDir, 'stack.json'), 'utf8')).clock.aheadMs;
