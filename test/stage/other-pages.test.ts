import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { canSeeSockets, listeningSocketsOf } from '../support/stage/listening.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

let stage: OpenStage;
beforeAll(async () => {
  stage = await sharedStage();
}, 300_000);

const portOf = (url: string) => Number(new URL(url).port);
/** Every port on which the stage's processes listen, but the engine's own. */
const ports = () => {
  const { stage: pid, engine = 0 } = stage.stack.processes;
  const engines = listeningSocketsOf(engine).map(({ port }) => port);
  return listeningSocketsOf(pid)
    .map(({ port }) => port)
    .filter((port) => !engines.includes(port));
};

/** By node:http, because fetch does not let a caller set the host and browser headers. */
const ask = async (port: number, headers: IncomingHttpHeaders, { path = '/', method = 'POST' } = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, method, headers }).end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode as number, text };
};

/** Where the engine itself listens; the kernel writes the bytes of an address from the last to the first. */
const engineItself = () =>
  listeningSocketsOf(stage.stack.processes.engine ?? 0).map(
    ({ address, port }) => `http://${Buffer.from(address, 'hex').reverse().join('.')}:${port}/`,
  );

const ofHost = {
  status: 403,
  text: 'The local stage answers only programs on this machine: use 127.0.0.1 or localhost, with the port of the stage.\n',
};
const ofPage = {
  status: 403,
  text: 'The local stage answers only programs on this machine and its own pages, not pages of other origins.\n',
};

const onLinux = canSeeSockets ? describe : describe.skip;
onLinux('S-83 every port of the stage is closed to pages of others', () => {
  test('they are the API server, the receiver, five services and the lock of the folder', () => {
    const { baseUrl, receiverUrl = '', operator } = stage.stack;
    const known = [baseUrl, receiverUrl, ...Object.values(operator.endpoints)].map(portOf);

    expect(ports()).toEqual(expect.arrayContaining(known));
    expect(ports()).toHaveLength(known.length + 1);
  });

  test.each([
    ['a name that was led to this machine', { host: 'evil.example' }, ofHost],
    ['a page of another origin', { origin: 'http://evil.example' }, ofPage],
    ['a page without an origin', { origin: 'null' }, ofPage],
    ['an image or a script of another site', { 'sec-fetch-site': 'cross-site' }, ofPage],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }, ofPage],
  ])('%s is refused by all of them', async (_, headers: IncomingHttpHeaders, refused) => {
    for (const port of ports())
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect([port, await ask(port, headers, { method })]).toEqual([port, refused]);
  });

  test('the engine itself listens at a port that browsers refuse', async () => {
    expect(engineItself()).toHaveLength(1);
    for (const url of engineItself())
      await expect(fetch(url)).rejects.toMatchObject({
        cause: new Error('bad port'),
      });
  });

  test('V1-7 V1 V1 and the docs are for pages of other origins, but not under other host names', async () => {
    const door = portOf(stage.stack.baseUrl);
    const shop = { origin: 'http://shop.example', 'sec-fetch-site': 'cross-site' };
    const isOpenTo = (headers: IncomingHttpHeaders) => async (path: string) => {
      const { text } = await ask(door, headers, { path, method: 'GET' });
      return text !== ofPage.text && text !== ofHost.text;
    };
    const forPages = ['/api/transaction', '/docs'];
    const forPrograms = ['/api/v2/transaction', '/oauth2/token', '/api/nope'];
    const answered = (headers: IncomingHttpHeaders) =>
      Promise.all([...forPages, ...forPrograms].map(isOpenTo(headers)));

    expect(await answered(shop)).toEqual([true, true, false, false, false]);
    expect(await answered({ ...shop, host: 'evil.example' })).toEqual(Array(5).fill(false));
  });
});
