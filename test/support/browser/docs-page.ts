import type { Browser } from 'playwright-core';
import {
  isTooWide,
  keepOneOfEachShape,
  looks,
  openPage,
  seriousFindings,
  type WatchedPage,
} from './browser.ts';

/** Every page of the docs. */
export const docsPages = [
  ...['/docs', '/docs/start', '/docs/reference', '/docs/transactions', '/docs/filters', '/docs/paging'],
  ...['/docs/expand-and-fields', '/docs/payments', '/docs/webhooks', '/docs/events', '/docs/manage-webhook'],
  ...['/docs/tokens', '/docs/problems', '/docs/limits', '/docs/versioning', '/docs/sign-in', '/docs/changes'],
];

export type Windows = Record<'desktop' | 'phone', WatchedPage>;

/** A window of each width, with the first page in it. */
export const openWindows = async (browser: Browser, baseUrl: string): Promise<Windows> => {
  const [desktop, phone] = await Promise.all([
    openPage(browser, `${baseUrl}/docs`, looks[0]),
    openPage(browser, `${baseUrl}/docs`, looks[2]),
  ]);
  return { desktop, phone };
};

export const closeWindows = (windows: Windows) =>
  Promise.all(Object.values(windows).map(({ close }) => close()));

/** Everything to complain of in a page that was opened in a window, and then had no network; axe looks at it in these schemes. */
export const complaintsOf = async (
  address: string,
  { page, complaints, foreign, visit, cutNetwork }: WatchedPage,
  schemes: readonly ('light' | 'dark')[],
): Promise<string[]> => {
  await visit(address);
  await cutNetwork();
  const wide = (await isTooWide(page)) ? ['is too wide'] : [];
  if (schemes.length > 0) await keepOneOfEachShape(page);
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await seriousFindings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return [...found, ...wide, ...complaints, ...foreign.map((asked) => `asked for ${asked}`)];
};
