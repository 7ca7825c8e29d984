import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isTooWide, looks, openPage, seriousFindings, sharedBrowser } from '../../support/browser/browser.ts';

const [desktop, , phone] = looks;
const head = '<html lang="en"><meta name="viewport" content="width=device-width">';
const pages: Record<string, string> = {
  '/good': `${head}<title>Good</title><main><h1>Good</h1><p>Nothing else.</p></main></html>`,
  '/bad': `${head}<title>Bad</title><main><h1>Bad</h1><button></button><div style="width:900px">wide</div>
    <img alt="elsewhere" src="http://elsewhere.invalid/one.png"></main><script>console.error('out of order')</script></html>`,
};

let server: Server;
let browser: Browser;
let address: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  server = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'text/html').end(pages[url] ?? '');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

test('a good page has nothing to complain of', async () => {
  const { page, complaints, foreign, close } = await openPage(browser, `${address}/good`, phone);

  expect([complaints, foreign, await seriousFindings(page), await isTooWide(page)]).toEqual([
    [],
    [],
    [],
    false,
  ]);
  await close();
});

test('an error on the console, a request elsewhere, a button without a name and a page too wide are each seen', async () => {
  const { page, complaints, foreign, close } = await openPage(browser, `${address}/bad`, phone);

  expect(complaints).toContain('error: out of order');
  expect(foreign).toEqual(['http://elsewhere.invalid/one.png']);
  expect(await seriousFindings(page)).toEqual(['button-name at button']);
  expect(await isTooWide(page)).toBe(true);
  await close();
});

test('a text is shown in a font of its own, whatever the machine has', async () => {
  const { page, close } = await openPage(browser, `${address}/good`, desktop);

  expect(await page.evaluate("document.querySelector('p').offsetHeight")).toBeGreaterThan(10);
  await close();
});
