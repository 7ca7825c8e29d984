import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Feed, FeedEntry } from '../feed/feed.ts';
import { guardHeaders } from './guard.ts';
import type { LiveView } from './live-view.ts';

export type EventStreamDeps = {
  feed: Feed;
  view: LiveView;
  /** Runs the work every so many milliseconds until it is told to stop. */
  repeat?: (work: () => void, everyMs: number) => () => void;
};

/** A browser that hears nothing for longer may have lost its connection without knowing. */
const beatMs = 10_000;

/**
 * Server-sent events (WHATWG HTML, 9.2): what happens, each with an id, and the view, whole, whenever it changed. Who comes back
 * with the id of the last one that it heard gets what it missed, as long as that is known.
 */
export const openEventStream = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { feed, view, repeat = byTimer }: EventStreamDeps,
): void => {
  outgoing.writeHead(200, { ...guardHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (event: string, data: unknown, id?: string) =>
    outgoing.write(`event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  const tell = (event: string) => (entry: FeedEntry) => send(event, entry, entry.id);

  outgoing.write('retry: 1000\n\n');
  send('run', feed.run);
  const missed = feed.since(lastHeard(incoming));
  if (missed) missed.forEach(tell('happening'));
  else feed.latest().forEach(tell('past'));
  const stops = [
    feed.follow(tell('happening')),
    view.follow((shown) => send('view', shown)),
    repeat(() => outgoing.write(': still here\n\n'), beatMs),
  ];
  outgoing.on('close', () => {
    for (const stop of stops) stop();
  });
};

/** The header of a browser that reconnects by itself; the parameter of a page that had to connect anew. */
const lastHeard = ({ headers, url = '' }: IncomingMessage): string =>
  String(headers['last-event-id'] ?? new URL(url, 'http://stage').searchParams.get('after') ?? '');

const byTimer = (work: () => void, everyMs: number) => {
  const timer = setInterval(work, everyMs);
  return () => clearInterval(timer);
};
