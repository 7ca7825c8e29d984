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
const [edited = '', paid = '', poisoned = ''] = northgates
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

  test('RUN-12 a change shows at once, rests, is sent when the clock was moved on, and its way lights up', async () => {
    const { page, complaints } = await open();

    await press(page, `Edit ${edited.slice(0, 8)}`);
    await page.locator('[data-place="v2-write"].lit').waitFor(patience);
    await row(page, edited).getByText('sent after').waitFor(patience);
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
