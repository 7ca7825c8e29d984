import type { FeedEntry } from '../../feed/feed.ts';
import type { View } from '../view.ts';
import { metaOf } from './dom.ts';

export type StageListeners = {
  happening: (entry: FeedEntry) => void;
  /** A happening from before the page was opened, oldest first. */
  past: (entry: FeedEntry) => void;
  view: (view: View) => void;
  connection: (isUp: boolean) => void;
};

const token = metaOf('console-token');
/** Browsers end a connection for good while the stage is down, so the page connects again after this time. */
const againMs = 1000;

/** Receives happenings until the page is closed. Reloads it for another run of the stage, which has another token. */
export const followStage = (listeners: StageListeners) => {
  let run: string | undefined;
  let last = '';
  const connect = () => {
    const source = new EventSource(`/console/feed?after=${encodeURIComponent(last)}`);
    const on = (name: string, listener: (data: never) => void) =>
      source.addEventListener(name, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        listener(JSON.parse(event.data) as never);
      });
    on('run', (received: string) => {
      if (run !== undefined && run !== received) location.reload();
      run = received;
      listeners.connection(true);
    });
    on('happening', listeners.happening);
    on('past', listeners.past);
    on('view', listeners.view);
    source.addEventListener('error', () => {
      listeners.connection(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, againMs);
    });
  };
  connect();
};

/** Performs the action of a button, after a confirmation where there is a question. */
export type Press = (action: object, question?: string) => void;

/** Asks the stage to perform an action; returns a sentence about it. */
export const act = async (action: object): Promise<string> => {
  const answer = await fetch('/console/act', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Console-Token': token },
    body: JSON.stringify(action),
  }).catch(() => undefined);
  if (!answer) return 'The stage does not answer.';
  if (answer.status === 403) return 'The stage was restarted: load this page again.';
  return ((await answer.json()) as { said: string }).said;
};
