import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { taken } from '../run/offer.ts';

/** The browser that all files of a run share. The file that opens it closes it. */
export const sharedBrowser = async (): Promise<Browser> => {
  const { address } = await taken<{ address: string }>('TEST_BROWSER_URL');
  return chromium.connect(address);
};

/** How a page is opened. */
export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' };

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** Desktop and phone, each light and dark: every page is checked in all four. */
export const looks = [
  { name: 'desktop, light', ...desktop, colorScheme: 'light' },
  { name: 'desktop, dark', ...desktop, colorScheme: 'dark' },
  { name: 'phone, light', ...phone, colorScheme: 'light' },
  { name: 'phone, dark', ...phone, colorScheme: 'dark' },
] as const satisfies readonly (Look & { name: string })[];

/** A page in a browser's window of its own, and what it did that a user would not want. */
export type WatchedPage = {
  page: Page;
  /** Errors and warnings of the console, faults of scripts, requests that failed or were refused. */
  complaints: string[];
  /** Every request that went to another host than the page's own. */
  foreign: string[];
  /** The next page in the same window, with the same storage. */
  visit: (address: string) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens an address as a visitor who was never there: nothing is kept from one page to the next. */
export const openPage = async (browser: Browser, address: string, look: Look): Promise<WatchedPage> => {
  const { width, height, colorScheme } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    isMobile: width < 600,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()}: ${line.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`fault: ${error.message}`));
  page.on('requestfailed', (request) =>
    complaints.push(`no answer: ${request.url()}, ${request.failure()?.errorText}`),
  );
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(address).host) foreign.push(request.url());
  });
  await page.goto(address, { waitUntil: 'load' });
  return {
    ...{ page, complaints, foreign },
    visit: async (next) => {
      await page.goto(next, { waitUntil: 'load' });
    },
    close: () => context.close(),
  };
};

/** What axe finds that is serious or critical, a line each: the rule, and where. */
export const seriousFindings = async (page: Page): Promise<string[]> => {
  // In the page itself: what it would open another page for are frames of other hosts, and it takes five times as long.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
};

/**
 * Removes elements that look like an earlier one of the page: equal elements, classes and attributes, both with or
 * without text. The reference has hundreds of equal rows and examples, and axe would report the same for each, after
 * half a minute.
 */
export const keepOneOfEachShape = (page: Page): Promise<void> => page.evaluate(removeRepeated);

const removeRepeated = `{
  const seen = new Set();
  const shapeOf = (element) =>
    element.outerHTML
      .replace(/>[^<]+/g, '>x')
      .replace(/ (?!class|role|tabindex|scope|open)[\\w-]+="[^"]+"/g, ' x');
  // What stands within first: two sections are alike when their rows are.
  for (const kind of ['pre', 'tr', 'details', 'li', 'section'])
    for (const element of document.querySelectorAll('main ' + kind)) {
      const shape = shapeOf(element);
      if (seen.has(shape)) element.remove();
      seen.add(shape);
    }
}`;

/** Whether the page is wider than its window, so that a phone would scroll it sideways. */
export const isTooWide = async (page: Page): Promise<boolean> => {
  const width: number = await page.evaluate('document.documentElement.scrollWidth');
  return width > (page.viewportSize()?.width ?? 0);
};
