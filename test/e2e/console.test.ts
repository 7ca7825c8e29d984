import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
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
import { northgates } from '../support/stage/demo-stage.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(120_000);

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
const [edited = '', paid = '', poisoned = '', replayed = '', deleted = ''] = northgates
  .filter(({ status, isDeleted }) => status === 0 && isDeleted === 0)
  .map(({ uuid }) => uuid);

describe('RUN-10 the console in a browser', () => {
  // The suite of stages has the other two.
  test.each([looks[0], looks[3]])(
    '$name: no complaint, no other host, nothing serious for axe, nothing too wide',
    async (look) => {
      const watched = await open(look);

      expect(await complaintsOf(watched)).toEqual([]);
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

  test('RUN-12 a change shows at once, rests, is sent when the clock was moved on, and its way lights up', async () => {
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

  test('by keys alone a payment is made, and its completion is sent at once', async () => {
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
    await page.locator('#received li', { hasText: 'duplicate: known by its id' }).first().waitFor(patience);

    expect(transaction).toMatchObject({ uuid: replayed, status: 1, payments: [{ value: '250.00' }] });
    expect(sent).toMatchObject({
      'detail-type': 'TransactionCompleted',
      detail: { uuid: replayed, payments: [{ value: '250.00' }] },
    });
  });

  test('what cannot be undone asks first: a transaction is deleted when the answer is yes', async () => {
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
      'Move the clock on by +31 d? It never goes back. Tokens end; open checkouts and the log of events are deleted.',
      `Delete ${name}? It cannot be brought back.`,
      `Delete ${name}? It cannot be brought back.`,
    ]);
  });

  test('TH-21 S-38 a stored name that is a script is shown as the text that it is', async () => {
    const { page, complaints } = await open();
    const partner = stage.stack.partners.find(({ name }) => name === 'northgate-crm');
    if (!partner) throw new Error('The stage has no such partner.');
    const name = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const program = await aPartnerProgram(stage, partner);

    const { status } = await program.write('PATCH', `/api/v2/transaction/${poisoned}`, {
      customer: { firstName: name },
    });
    await row(page, poisoned).getByText(name).waitFor(patience);

    expect(status).toBe(200);
    expect(await page.title()).toBe('Transactions: console');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
