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
        return () => (followed -= 1);
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

type Ask = { method?: string; headers?: Record<string, string>; body?: string; until?: string };

/**
 * The answer, to its end or until a text has come. By node:http, because fetch does not let a caller set the host, the origin
 * and browser headers.
 */
const ask = async (path: string, { method = 'GET', headers = {}, body, until }: Ask = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, method, headers }).end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response) {
    text += part;
    if (until && text.includes(until)) break;
  }
  return { status: response.statusCode as number, headers: response.headers, text };
};

const line = (said: string) => feed.emit({ kind: 'received', line: said });
const own = () => ({
  ...{ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' },
  ...{ 'content-type': 'application/json', 'x-console-token': token },
});

describe('RUN-10 the console over HTTP', () => {
  test('methods that a path does not have are 405', async () => {
    const posted = await ask('/', { method: 'POST', headers: own() });
    const read = await ask('/console/act');

    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect([read.status, read.headers.allow]).toEqual([405, 'POST']);
  });

  test('a stream begins with the run, what was before, and the view; then tells what happens, and that it lives, until its reader leaves', async () => {
    line('before');
    const hearing = ask('/console/feed', { until: 'still here' });
    while (followed === 0) await new Promise((resolve) => setImmediate(resolve));
    line('now');
    beat();

    const { text, headers } = await hearing;
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
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
    while (followed > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([
    ['the header', '/console/feed', { 'last-event-id': 'run1-1' }],
    ['the parameter', '/console/feed?after=run1-1', {}],
  ])('who names the last one in %s hears what it missed', async (_, path, headers) => {
    for (const said of ['heard', 'missed']) line(said);

    const { text } = await ask(path, { headers: headers as Record<string, string>, until: 'event: view' });

    expect(text).not.toContain('"heard"');
    expect(text).toContain('event: happening\nid: run1-2\n');
  });
});

describe('RUN-11 the console over HTTP is closed to other pages', () => {
  test.each([
    ['/', 200],
    ['/console/main.ts', 200],
    ['/console/', 404],
    ['/console/tsconfig.json', 404],
    ['/console/../console.ts', 404],
    ['/console/%2e%2e/guard.ts', 404],
  ])(
    'S-46 %s is %i, and its answer forbids other scripts, frames, guesses at its type and readers of other origins',
    async (path, status) => {
      const answer = await ask(path);
      const policy = answer.headers['content-security-policy'];

      expect(answer.status).toBe(status);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

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
