import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { configOf } from '../../lib/config.ts';
import {
  isTooWide,
  type Look,
  looks,
  openPage,
  seriousFindings,
  sharedBrowser,
  type WatchedPage,
} from '../support/browser/browser.ts';
import { randomFrom, seedOfRun } from '../support/builders/random.ts';
import { root } from '../support/repository.ts';
import { consoleOf } from '../support/stage/console.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
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
/** The console with its transactions; at a desktop unless another look is asked for. Its questions are answered with yes. */
const open = async (look: Look = looks[0]) => {
  const watched = await openPage(browser, `${stage.baseUrl}/`, look);
  opened.push(watched);
  watched.page.on('dialog', (dialog) => dialog.accept());
  await watched.page.locator('#transactions li').first().waitFor(patience);
  return watched;
};
afterAll(async () => {
  for (const { close } of opened) await close();
});

/** A busy machine takes longer to show what happened. */
const patience = { timeout: 60_000 };

/** What there is to complain of in a console that shows something of its log. */
const complaintsOf = async ({ page, complaints, foreign }: WatchedPage) => {
  await page.locator('#log li').first().waitFor(patience);
  const wide = (await isTooWide(page)) ? ['is too wide'] : [];
  const hidden = (await page.evaluate(isPictureCut)) ? ['its picture is not seen whole'] : [];
  return [...(await seriousFindings(page)), ...wide, ...hidden, ...complaints, ...foreign];
};

const isPictureCut = `{
  const { scrollWidth, clientWidth } = document.querySelector('#picture');
  scrollWidth > clientWidth;
}`;

const row = (page: Page, uuid: string) => page.locator('#transactions li', { hasText: uuid.slice(0, 8) });
/** The button that moves the clock over the rest of a change. */
const restButton = `+${rest / 60} min`;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const delivery = (page: Page, uuid: string, state: string) =>
  page.locator(`#deliveries li[data-state="${state}"]`, { hasText: uuid.slice(0, 8) });

/** Unpaid demo transactions of the partner northgate-crm; the page shows the first five. */
const demo = readFileSync(join(root, 'localstack/embedded/demo/transactions.ndjson'), 'utf8').trim().split('\n');
const unpaid: string[] = demo
  .map((line) => JSON.parse(line))
  .filter(({ status, isDeleted, ndMeta }) => !status && !isDeleted && ndMeta.group.startsWith('06fec110'))
  .map(({ uuid }) => uuid);
const [edited = '', paid = '', poisoned = '', replayed = '', deleted = '', ...crowd] = unpaid;

/** The program of that partner. */
const program = () =>
  aPartnerProgram(stage, stage.stack.partners.find(({ name }) => name === 'northgate-crm') as Credentials);

describe('RUN-10 the console in a browser, with its stage', () => {
  test.each(looks)(
    '$name: no error, no other host, nothing serious for axe, nothing too wide',
    async (look) => {
      expect(await complaintsOf(await open(look))).toEqual([]);
    },
  );

  test('a desktop of 900 pixels leaves a third to the lists below the picture, and a link leads to the documents', async () => {
    const { page } = await open();

    const list = await page.locator('#transactions').boundingBox();
    await page.getByRole('link', { name: 'Documentation' }).click();

    expect(list?.y).toBeLessThan(600);
    await page.getByRole('heading', { level: 1 }).first().waitFor(patience);
    expect(new URL(page.url()).pathname).toMatch(/^\/docs/);
  });

  test('RUN-12 a change shows at once, is sent after the clock is moved forward, and its path lights up', async () => {
    const { page, complaints } = await open();

    await press(page, `Edit ${edited.slice(0, 8)}`);
    await page.locator('[data-place="v2-write"].lit').waitFor(patience);
    await row(page, edited).getByText('sent in').waitFor(patience);
    await press(page, restButton);
    await page.locator('[data-place="endpoints"].lit').waitFor(patience);
    await delivery(page, edited, 'DELIVERED').locator('summary').click(patience);

    expect(await delivery(page, edited, 'DELIVERED').locator('.timeline').textContent()).toContain(
      'delivered: attempt 1: status 204',
    );
    await page.locator('#received li', { hasText: edited.slice(0, 8) }).waitFor(patience);
    await page.locator('#clock').getByText('2 min ahead of this machine').waitFor(patience);
    expect(complaints).toEqual([]);
  });

  test('a payment is made by keyboard, and its completion is sent at once', async () => {
    const { page } = await open();

    await page.getByRole('button', { name: `Pay ${paid.slice(0, 8)}` }).focus();
    await page.keyboard.press('Enter');

    await page.locator('#deliveries li', { hasText: 'TransactionCompleted' }).first().waitFor(patience);
    await row(page, paid).getByText(' complete,').waitFor(patience);
  });

  test('a transaction and a message can be opened whole, and the message is sent again with its id', async () => {
    const { page } = await open();
    const message = delivery(page, replayed, 'DELIVERED').filter({ hasText: 'TransactionCompleted' });

    await row(page, replayed).locator('summary').click();
    await press(page, `Pay ${replayed.slice(0, 8)}`);
    await message.locator('summary').click(patience);
    const texts = [row(page, replayed), message].map((one) => one.locator('pre:visible').textContent());
    const [transaction, sent] = (await Promise.all(texts)).map((text) => JSON.parse(text ?? ''));
    await message.getByRole('button', { name: /^Replay .* to northgate-crm$/ }).click();
    await page.locator('#received li', { hasText: 'duplicate: its id is known' }).first().waitFor(patience);

    expect(transaction).toMatchObject({ uuid: replayed, status: 1, payments: [{ value: '250.00' }] });
    expect(sent).toMatchObject({
      'detail-type': 'TransactionCompleted',
      detail: { uuid: replayed, payments: [{ value: '250.00' }] },
    });
  });

  test('a permanent action asks first: a transaction is deleted after a confirmation', async () => {
    const { page } = await open();
    const questions: string[] = [];
    const pressAndAnswer = async (button: string, answer: 'accept' | 'dismiss') => {
      page.removeAllListeners('dialog').once('dialog', (dialog) => {
        questions.push(dialog.message());
        return dialog[answer]();
      });
      await press(page, button);
    };
    const name = deleted.slice(0, 8);

    for (const button of [`Pay ${name}`, '+31 d', `Delete ${name}`]) await pressAndAnswer(button, 'dismiss');
    const before = await row(page, deleted).locator('summary').textContent();
    await pressAndAnswer(`Delete ${name}`, 'accept');
    await row(page, deleted).getByText('deleted, version 2').waitFor(patience);

    expect(before).toContain('incomplete, version 1');
    expect(questions).toEqual([
      `Pay ${name}? A payment stays, and completes the transaction.`,
      'Move the clock forward by +31 d? You cannot undo it. Tokens expire; open checkouts and the delivery log are deleted.',
      `Delete ${name}? You cannot undo it.`,
      `Delete ${name}? You cannot undo it.`,
    ]);
  });

  test('TH-21 S-38 a stored name with a script is shown as text', async () => {
    const { page, complaints } = await open();
    const name = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

    const { status } = await (await program()).write('PATCH', `/api/v2/transaction/${poisoned}`, {
      customer: { firstName: name },
    });
    await row(page, poisoned).getByText(name).waitFor(patience);

    expect(status).toBe(200);
    expect(await page.title()).toBe('Transactions: console');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('RUN-12 a day later an undelivered event is given up, and an earlier token has expired', async () => {
    const { page } = await open();
    const { get } = await program();
    const read = async () => (await get(`/api/v2/transaction/${edited}`)).status;

    await page.getByRole('combobox', { name: 'northgate-crm' }).selectOption('answers 500');
    await press(page, `Edit ${edited.slice(0, 8)}`);
    await row(page, edited).getByText('sent in').waitFor(patience);
    await press(page, restButton);
    await delivery(page, edited, 'ACCEPTED').first().waitFor(patience);
    const before = await read();
    await press(page, '+25 h');
    const dead = delivery(page, edited, 'DEAD');
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
  test('after random moves during changes and sends no event is lost: the ranges of each transaction join without a gap', async () => {
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

  test('RUN-10 after a restart the page reconnects by itself, with the moved time, and its buttons work', async () => {
    const { page } = await open();
    const aheadMs = aheadNow();

    stage = await stage.restart();
    await page.getByText('The stage does not answer').waitFor({ ...patience, state: 'hidden' });
    await page.getByText('Live', { exact: true }).waitFor(patience);
    await press(page, `Edit ${edited.slice(0, 8)}`);

    await row(page, edited).getByText('sent in').waitFor(patience);
    expect(stage.stack.clock.aheadMs).toBe(aheadMs);
    expect(aheadMs).toBeGreaterThan(0);
  });
});

const aheadNow = (): number =>
  JSON.parse(readFileSync(join(stage.dataDir, 'stack.json'), 'utf8')).clock.aheadMs;
