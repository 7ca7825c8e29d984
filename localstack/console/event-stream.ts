import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Feed, FeedEntry } from '../feed/feed.ts';
import { guardHeaders } from './guard.ts';
import type { LiveView } from './live-view.ts';

export type EventStreamDeps = {
  feed: Feed;
  view: LiveView;
  /** Runs the work every `everyMs` until the returned function is called. */
  repeat?: (work: () => void, everyMs: number) => () => void;
};

/** A regular comment lets a browser notice a lost connection. */
const beatMs = 10_000;

/**
 * Sends happenings, each with an id, and the whole view at each change, as server-sent events (WHATWG HTML, 9.2). A browser
 * that reconnects with the id of its last happening gets those that it missed, as long as they are kept.
 */
export const openEventStream = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { feed, view, repeat = byTimer }: EventStreamDeps,
): void => {
  outgoing.writeHead(200, { ...guardHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (event: string, data: unknown, id?: string) =>
    outgoing.write(`event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  const sendAs = (event: string) => (entry: FeedEntry) => send(event, entry, entry.id);

  outgoing.write('retry: 1000\n\n');
  send('run', feed.run);
  const missed = feed.since(lastHeard(incoming));
  if (missed) missed.forEach(sendAs('happening'));
  else feed.latest().forEach(sendAs('past'));
  const stops = [
    feed.follow(sendAs('happening')),
    view.follow((shown) => send('view', shown)),
    repeat(() => outgoing.write(': still here\n\n'), beatMs),
  ];
  outgoing.on('close', () => {
    for (const stop of stops) stop();
  });
};

/** The id of the last happening: in the header when a browser reconnects, in the parameter when the page does. */
const lastHeard = ({ headers, url = '' }: IncomingMessage): string =>
  String(headers['last-event-id'] ?? new URL(url, 'http://stage').searchParams.get('after') ?? '');

const byTimer = (work: () => void, everyMs: number) => {
  const timer = setInterval(work, everyMs);
  return () => clearInterval(timer);
};
