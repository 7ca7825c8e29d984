import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  isTooWide,
  looks,
  openPage,
  seriousFindings,
  sharedBrowser,
  type WatchedPage,
} from '../support/browser/browser.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { pageOf } from '../support/stage/stage-page.ts';

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
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

/** The stage's page with its transactions; `answer` is given to each question, which is collected. */
const open = async ({
  look = looks[0] as (typeof looks)[number],
  answer = 'accept' as 'accept' | 'dismiss',
} = {}) => {
  const watched = await openPage(browser, `${stage.baseUrl}/`, look);
  opened.push(watched);
  const questions: string[] = [];
  watched.page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    return dialog[answer]();
  });
  await watched.page.locator('#transactions button').first().waitFor();
  return { ...watched, questions };
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const inList = (page: Page, list: string, ...texts: string[]) =>
  texts.reduce((rows, text) => rows.filter({ hasText: text }), page.locator(`#${list} li`));

/** A new open transaction of the first demo partner, the first in the list. */
const aCheckout = async (page: Page): Promise<string> => {
  const first = page.locator('#transactions li').first();
  const before = await first.locator('code').textContent();
  await press(page, 'Anonymous checkout');
  await page.locator('#transactions li:first-child code', { hasNotText: before ?? '' }).waitFor();
  return (await first.locator('code').textContent()) ?? '';
};

describe("RUN-10 the stage's page", () => {
  test.each(looks)(
    '$name: no error, no other host, nothing serious for axe, nothing too wide',
    async (look) => {
      const { page, complaints, foreign } = await open({ look });

      expect([...(await seriousFindings(page)), ...complaints, ...foreign]).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    },
  );

  test('a change is due after this start’s dormancy; its delivery appears when the clock is there, and outlives a reload', async () => {
    const { page, questions } = await open();
    const uuid = await aCheckout(page);
    const delivery = inList(
      page,
      'deliveries',
      'TransactionUpdated to northgate-crm',
      uuid,
      'status 204, delivered',
    );

    await inList(page, 'due', uuid, 'in 1').waitFor();
    await press(page, '+ 2 min');
    await delivery.waitFor();
    await page.reload();

    await delivery.waitFor();
    expect(await page.locator('#rest').textContent()).toContain(
      'an event leaves 2 min after the last change',
    );
    expect(questions).toEqual(['Move the clock on by 2 min? It never goes back.']);
  });

  test('what cannot be undone happens after a yes only, and by keyboard too', async () => {
    const { page, questions } = await open({ answer: 'dismiss' });
    const uuid = await aCheckout(page);
    const of = uuid.slice(0, 8);
    const yes = await open();

    for (const name of [`Pay ${of}`, `Delete ${of}`, '+ 31 d']) await press(page, name);
    await yes.page.getByRole('button', { name: `Pay ${of}` }).focus();
    await yes.page.keyboard.press('Enter');
    await inList(yes.page, 'transactions', uuid, 'complete').waitFor();

    expect(questions).toEqual([
      `Pay ${of}? A payment stays, and completes the transaction.`,
      `Delete ${of}? Only the operator's tool restores it.`,
      'Move the clock on by 31 d? It never goes back.',
    ]);
    expect(yes.questions).toHaveLength(1);
  });

  test('a partner is failing from the first refusal to the next success', async () => {
    const { page } = await open();
    const uuid = await aCheckout(page);

    await press(page, 'answers 500 for northgate-crm');
    await press(page, `Pay ${uuid.slice(0, 8)}`);
    await inList(page, 'partners', 'northgate-crm failing', 'its receiver answers 500').waitFor();
    await press(page, 'healthy for northgate-crm');
    await press(page, '+ 1 h');

    await inList(page, 'partners', 'northgate-crm not failing').waitFor();
    await inList(page, 'deliveries', 'TransactionCompleted', uuid, 'delivered').waitFor();
  });

  test('a row stays under the pointer while others arrive, and shows its change; the list follows afterwards', async () => {
    const { page } = await open();
    const uuid = await aCheckout(page);
    const row = inList(page, 'transactions', uuid);
    await row.hover();
    const place = await row.boundingBox();

    await pageOf(stage)({ do: 'checkout', as: 'nobody' });
    await pageOf(stage)({ do: 'pay', uuid, partner: 'northgate-crm' });
    await row.getByText('complete, seen by').waitFor();
    expect(await row.boundingBox()).toEqual(place);

    await page.locator('h1').hover();
    await page.locator('#transactions li:first-child', { hasNotText: uuid }).waitFor();
  });

  test('a search finds by stock id, and a stored value is shown as text', async () => {
    const { page, complaints } = await open();
    const { get, write } = await aPartnerProgram(stage, stage.stack.partners[0] as Credentials);
    const [found] = (await get('/api/v2/transaction?filter[status]=0&expand=vehicle')).list().data;
    const { uuid, vehicle } = found as unknown as {
      uuid: string;
      vehicle: { identifiers: { ndstockid: string } };
    };
    const firstName = '<img src=x onerror=alert(1)>';
    await write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { firstName } });

    await page.getByLabel('Search').fill(vehicle.identifiers.ndstockid);

    await page.locator('#transactions li:only-child', { hasText: uuid }).getByText(firstName).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an address that cannot be read is of no page, and answered, at the port of the receiver too', async () => {
    const statusOf = async (url = '') => {
      const [response] = await once(get({ port: new URL(url).port, path: '//' }), 'response');
      return response.resume().statusCode;
    };

    expect([await statusOf(stage.baseUrl), await statusOf(stage.stack.receiverUrl)]).toEqual([404, 404]);
  });
});
