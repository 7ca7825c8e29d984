import type { FeedEntry } from '../../feed/feed.ts';
import type { View } from '../view.ts';
import { metaOf } from './dom.ts';

export type Hearers = {
  happening: (entry: FeedEntry) => void;
  /** What happened before the page was opened, oldest first. */
  past: (entry: FeedEntry) => void;
  view: (view: View) => void;
  connection: (isUp: boolean) => void;
};

const token = metaOf('console-token');
/** Browsers give up for good where the stage is not back yet: then the page asks again. */
const againMs = 1000;

/** Hears what happens until the page is closed. Another run of the stage has another token, so the page is loaded anew. */
export const hearStage = (hearers: Hearers) => {
  let run: string | undefined;
  let last = '';
  const connect = () => {
    const source = new EventSource(`/console/feed?after=${encodeURIComponent(last)}`);
    const on = (name: string, hear: (data: never) => void) =>
      source.addEventListener(name, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        hear(JSON.parse(event.data) as never);
      });
    on('run', (heard: string) => {
      if (run !== undefined && run !== heard) location.reload();
      run = heard;
      hearers.connection(true);
    });
    on('happening', hearers.happening);
    on('past', hearers.past);
    on('view', hearers.view);
    source.addEventListener('error', () => {
      hearers.connection(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, againMs);
    });
  };
  connect();
};

/** Does what a button stands for; where that cannot be undone, after the question is answered with yes. */
export type Press = (action: object, question?: string) => void;

/** Asks the stage to do something; answers what there is to say of it. */
export const act = async (action: object): Promise<string> => {
  const answer = await fetch('/console/act', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Console-Token': token },
    body: JSON.stringify(action),
  }).catch(() => undefined);
  if (!answer) return 'The stage does not answer.';
  if (answer.status === 403) return 'The stage was started anew: load this page again.';
  return ((await answer.json()) as { said: string }).said;
};
