import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Feed } from '../feed/feed.ts';
import { type Act, restSeconds } from './actions.ts';
import { type EventStreamDeps, openEventStream } from './event-stream.ts';
import { guardHeaders, hasToken } from './guard.ts';
import { readPageFiles } from './page-files.ts';

export type ConsoleDeps = EventStreamDeps & {
  feed: Feed;
  /** Random at each start, and written into the page. */
  token: string;
  act: Act;
};

/** Handles a request of the console; returns false for a request to the APIs. */
export type HandleConsole = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

type Answer = { status: number; type?: string; body?: string; headers?: Record<string, string> };

/** The console (RUN-10): a page at `/` that shows the stage live, and its server. */
export const createConsole = (deps: ConsoleDeps): HandleConsole => {
  const files = readPageFiles();
  const written = files.get('index.html')?.body ?? '';
  const page = written.replace('{{token}}', deps.token).replace('{{rest}}', String(restSeconds));

  const answerTo = async (incoming: IncomingMessage, path: string): Promise<Answer> => {
    const { method = 'GET' } = incoming;
    if (path === '/console/act') return method === 'POST' ? actOn(incoming, deps) : onlyFor('POST');
    if (method !== 'GET' && method !== 'HEAD') return onlyFor('GET, HEAD');
    if (path === '/') return { status: 200, type: 'text/html; charset=utf-8', body: page };
    const file = files.get(path.slice('/console/'.length));
    return file ? { status: 200, ...file } : { status: 404, type: 'text/plain', body: 'Not found.\n' };
  };

  return (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    if (path !== '/' && !path.startsWith('/console/')) return false;
    if (path === '/console/feed' && incoming.method === 'GET') openEventStream(incoming, outgoing, deps);
    else void answerTo(incoming, path).then((answer) => write(outgoing, answer), fail(outgoing));
    return true;
  };
};

const onlyFor = (methods: string): Answer => ({ status: 405, headers: { Allow: methods } });

const actOn = async (incoming: IncomingMessage, { token, act }: ConsoleDeps): Promise<Answer> => {
  if (!hasToken(incoming, token))
    return {
      status: 403,
      type: 'text/plain',
      body: 'Only the page of the console may act: open the address of the stage in a browser.\n',
    };
  const outcome = await act(parse(await text(incoming)));
  const said = outcome.ok ? outcome.value : outcome.reason;
  return { status: outcome.ok ? 200 : 400, type: 'application/json', body: JSON.stringify({ said }) };
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const write = (outgoing: ServerResponse, { status, type, body = '', headers = {} }: Answer) => {
  outgoing.writeHead(status, { ...guardHeaders, ...(type && { 'Content-Type': type }), ...headers });
  outgoing.end(body);
};

const fail = (outgoing: ServerResponse) => (fault: unknown) =>
  write(outgoing, { status: 500, type: 'text/plain', body: `The console failed: ${fault}\n` });
