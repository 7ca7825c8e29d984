import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { succeed } from '../../../functions/shared/domain/outcome.ts';
import { createConsole } from '../../../localstack/console/console.ts';
import type { View } from '../../../localstack/console/view.ts';
import { createFeed, type Feed } from '../../../localstack/feed/feed.ts';
import { openLoopbackServer } from '../../../localstack/loopback/server.ts';

const token = 'a-token-of-this-run';
const view: View = {
  ...{ nowMs: 1, aheadMs: 0, dormancyMs: 120_000, partners: [] },
  ...{ transactions: [], deliveries: [] },
};

let feed: Feed;
let acted: unknown[];
let beat: () => void;
let followed: number;
let port: number;
let stop: () => Promise<unknown>;

beforeEach(async () => {
  feed = createFeed(() => new Date(1000), 'run1');
  acted = [];
  followed = 0;
  const handle = createConsole({
    ...{ feed, token },
    view: {
      follow: (hear) => {
        followed += 1;
        hear(view);
        return () => {
          followed -= 1;
        };
      },
    },
    act: async (wanted) => {
      acted.push(wanted);
      return succeed('Done.');
    },
    repeat: (work) => {
      beat = work;
      return () => {};
    },
  });
  const teapot = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!handle(incoming, outgoing)) outgoing.writeHead(418).end();
  };
  ({ port, stop } = await openLoopbackServer(teapot));
});
afterEach(() => stop());

type Ask = { method?: string; headers?: Record<string, string>; body?: string };

/** By node:http, because fetch does not let a caller set the host, the origin and browser headers. */
const ask = async (path: string, { method = 'GET', headers = {}, body }: Ask = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, method, headers }).end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode as number, headers: response.headers, text };
};

/** What a stream says until a text has come. */
const hear = async (path: string, until: string, headers: Record<string, string> = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) {
    text += part;
    if (text.includes(until)) break;
  }
  response.destroy();
  return { text, type: response.headers['content-type'] };
};

const line = (said: string) => feed.emit({ kind: 'received', line: said });
const own = () => ({
  ...{ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' },
  ...{ 'content-type': 'application/json', 'x-console-token': token },
});

describe('RUN-10 the console over HTTP', () => {
  test.each(['/console/../console.ts', '/console/tsconfig.json', '/console/%2e%2e/guard.ts', '/console/'])(
    'no other file is there: %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  test('methods that a path does not have are 405', async () => {
    const posted = await ask('/', { method: 'POST', headers: own() });
    const read = await ask('/console/act');

    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect([read.status, read.headers.allow]).toEqual([405, 'POST']);
  });

  test('a stream begins with the run, what was before, and the view; then tells what happens, and that it lives', async () => {
    line('before');
    const hearing = hear('/console/feed', 'still here');
    while (followed === 0) await new Promise((resolve) => setImmediate(resolve));
    line('now');
    beat();

    const { text, type } = await hearing;
    expect(type).toBe('text/event-stream; charset=utf-8');
    expect(text).toBe(
      [
        'retry: 1000\n\n',
        'event: run\ndata: "run1"\n\n',
        'event: past\nid: run1-1\n',
        'data: {"id":"run1-1","atMs":1000,"happening":{"kind":"received","line":"before"}}\n\n',
        `event: view\ndata: ${JSON.stringify(view)}\n\n`,
        'event: happening\nid: run1-2\n',
        'data: {"id":"run1-2","atMs":1000,"happening":{"kind":"received","line":"now"}}\n\n',
        ': still here\n\n',
      ].join(''),
    );
  });

  test.each([
    ['the header', '/console/feed', { 'last-event-id': 'run1-1' }],
    ['the parameter', '/console/feed?after=run1-1', {}],
  ])('who names the last one in %s hears what it missed', async (_, path, headers) => {
    for (const said of ['heard', 'missed']) line(said);

    const { text } = await hear(path, 'event: view', headers as Record<string, string>);

    expect(text).not.toContain('"heard"');
    expect(text).toContain('event: happening\nid: run1-2\n');
  });

  test('who leaves is followed no more', async () => {
    await hear('/console/feed', 'event: view');
    while (followed > 0) await new Promise((resolve) => setImmediate(resolve));

    expect(followed).toBe(0);
  });
});

describe('RUN-11 the console over HTTP is closed to other pages', () => {
  test('S-46 every answer of it forbids other scripts, frames, and guesses at its type; none lets another origin read', async () => {
    for (const { headers } of [
      await ask('/'),
      await ask('/console/main.ts'),
      await ask('/console/nothing'),
    ]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('RUN-11 an action needs the token; with it, it is done and said', async () => {
    const { 'x-console-token': _, ...without } = own();
    const refused = await ask('/console/act', { method: 'POST', headers: without, body: '{"do":"pay"}' });
    const done = await ask('/console/act', { method: 'POST', headers: own(), body: '{"do":"pay"}' });

    expect([refused.status, refused.text]).toEqual([
      403,
      'Only the page of the console may act: open the address of the stage in a browser.\n',
    ]);
    expect([done.status, done.text]).toEqual([200, '{"said":"Done."}']);
    expect(acted).toEqual([{ do: 'pay' }]);
  });
});
