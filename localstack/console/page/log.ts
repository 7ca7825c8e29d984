import type { FeedEntry } from '../../feed/feed.ts';
import type { Cause, Happening } from '../../feed/happening.ts';
import { addLine, byId, element } from './dom.ts';
import { clockText, spanText } from './time.ts';

/** Adds a happening to the page: a receiver's line to the list of received messages, any other to the log. */
export const addToLog = ({ happening, atMs }: FeedEntry) => {
  if (happening.kind === 'received') return addLine(byId('received'), element('li', {}, happening.line));
  const said = sentenceOf(happening);
  if (!said) return;
  const line = element('li', { class: moodOf(happening) }, `${clockText(atMs)}  ${said}`);
  if (isTick(happening)) line.dataset.fold = 'tick';
  addLine(byId('log'), line);
};

/** Polls happen every few seconds; of several in a row the log shows the last. */
const isTick = (happening: Happening) =>
  happening.kind === 'returned' &&
  happening.function === 'publish-dormant' &&
  happening.cause.by !== 'request';

const sentenceOf = (happening: Happening): string | undefined => {
  switch (happening.kind) {
    case 'called':
      return undefined;
    case 'returned': {
      const end = happening.failed ?? (happening.status === undefined ? 'done' : `${happening.status}`);
      return `${happening.function}  ${causeText(happening.cause)}  ${end}, ${happening.tookMs} ms`;
    }
    case 'accepted':
      return `EventBridge  took ${happening.type} of ${shortened(happening.uuid)}`;
    case 'attempted': {
      const end = happening.status === undefined ? happening.error : `status ${happening.status}`;
      return `delivery  ${happening.type} of ${shortened(happening.uuid)}, attempt ${happening.attempt}: ${end}, ${happening.verdict}`;
    }
    case 'receiver':
      return `receiver of ${happening.partner}  ${happening.condition}`;
    case 'clock':
      return `clock  moved on by ${spanText(happening.byMs)}, ahead by ${spanText(happening.aheadMs)} now`;
    default:
      return undefined;
  }
};

const causeText = (cause: Cause): string => {
  if (cause.by === 'request') return `${cause.method} ${cause.path}`;
  if (cause.by === 'schedule') return 'by its schedule';
  if (cause.by === 'function') return 'by another function';
  const records = cause.records === 1 ? '1 record' : `${cause.records} records`;
  return cause.by === 'stream' ? `${records} of the stream` : `${records} of its queue`;
};

const shortened = (uuid = '') => (uuid.length > 8 ? `${uuid.slice(0, 8)}…` : uuid);

const moodOf = (happening: Happening): string => {
  if (happening.kind === 'attempted') return happening.verdict === 'delivered' ? 'good' : 'bad';
  if (happening.kind !== 'returned') return 'plain';
  return happening.failed !== undefined || (happening.status ?? 200) >= 400 ? 'bad' : 'plain';
};
