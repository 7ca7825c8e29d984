import type { Browser, Page } from 'playwright-core';
import { configOf } from '../../../lib/config.ts';
import type { OpenStage } from '../stage/shared-stage.ts';
import { isTooWide, type Look, looks, openPage, seriousFindings, type WatchedPage } from './browser.ts';

/** A busy machine takes longer to show what happened. */
export const patience = { timeout: 60_000 };

/** The console of a stage, with its transactions; at a desktop unless another look is asked for. Its questions are answered with yes. */
export const openConsole = async (browser: Browser, stage: OpenStage, look: Look = looks[0]) => {
  const watched = await openPage(browser, `${stage.baseUrl}/`, look);
  watched.page.on('dialog', (dialog) => dialog.accept());
  await watched.page.locator('#transactions li').first().waitFor(patience);
  return watched;
};

/** What there is to complain of in a console that shows something of its log. */
export const complaintsOf = async ({ page, complaints, foreign }: WatchedPage) => {
  await page.locator('#log li').first().waitFor(patience);
  const wide = (await isTooWide(page)) ? ['is too wide'] : [];
  const hidden = (await page.evaluate(isPictureCut)) ? ['its picture is not seen whole'] : [];
  return [...(await seriousFindings(page)), ...wide, ...hidden, ...complaints, ...foreign];
};

const isPictureCut = `{
  const { scrollWidth, clientWidth } = document.querySelector('#picture');
  scrollWidth > clientWidth;
}`;

export const row = (page: Page, uuid: string) =>
  page.locator('#transactions li', { hasText: uuid.slice(0, 8) });
/** The button that moves the clock over the rest of a change. */
export const restButton = `+${configOf('local').eventTimes.dormancySeconds / 60} min`;

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const delivery = (page: Page, uuid: string, state: string) =>
  page.locator(`#deliveries li[data-state="${state}"]`, { hasText: uuid.slice(0, 8) });
