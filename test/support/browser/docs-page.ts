import type { Browser } from 'playwright-core';
import { builtSite, pagesOf } from '../docs/built-site.ts';
import {
  isTooWide,
  keepOneOfEachShape,
  looks,
  openPage,
  seriousFindings,
  type WatchedPage,
} from './browser.ts';

/** Every page of the docs that has an address. */
export const docsPages = (): string[] =>
  pagesOf(builtSite())
    .map(([path]) => path)
    .filter((path) => path.startsWith('/docs'));

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

/** Everything to complain of in a page that was opened in a window; axe looks at it in each of the colour schemes. */
export const complaintsOf = async (
  address: string,
  { page, complaints, foreign, visit }: WatchedPage,
): Promise<string[]> => {
  await visit(address);
  const wide = (await isTooWide(page)) ? ['is too wide'] : [];
  await keepOneOfEachShape(page);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await seriousFindings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return [
    ...found,
    ...wide,
    ...complaints.splice(0),
    ...foreign.splice(0).map((asked) => `asked for ${asked}`),
  ];
};

/** The colour of a text in code, and that of its block. */
export const coloursOf = `[...document.querySelectorAll('main pre span[class^="s-"]')].map((token) => [
  getComputedStyle(token).color,
  getComputedStyle(token.closest('pre')).color,
])`;
