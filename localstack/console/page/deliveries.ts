import type { DeliveryRow } from '../view.ts';
import { button, byId, element, keepRows, setText, wholeText } from './dom.ts';
import type { Press } from './stage.ts';
import { dateText } from './time.ts';

const marks: Record<DeliveryRow['state'], string> = {
  READY: 'to be sent',
  HELD: 'paused',
  ACCEPTED: 'on its way',
  DELIVERED: 'delivered',
  DEAD: 'given up',
  SUPPRESSED: 'not sent',
};

/** Shows each delivery with its timeline and message. */
export const showDeliveries = (press: Press) =>
  keepRows<DeliveryRow>(byId('deliveries'), {
    keyOf: ({ eventId, partner }) => `${eventId} ${partner}`,
    create: ({ eventId, partner }) => {
      const mark = element('span', { class: 'mark' });
      const title = element('span', { class: 'grow' });
      const timeline = element('ol', { class: 'timeline' });
      const message = element('pre');
      const node = element(
        'li',
        {},
        element('details', { class: 'grow' }, element('summary', {}, mark, title), timeline, message),
        button('Replay', () => press({ do: 'replay', partner, eventId }), {
          'aria-label': `Replay ${eventId.slice(0, 8)} to ${partner}`,
        }),
      );
      return {
        node,
        update: (row) => {
          node.dataset.state = row.state;
          setText(mark, row.reason ? `${marks[row.state]} (${row.reason})` : marks[row.state]);
          setText(
            title,
            `${row.type} to ${row.partner}, ${row.uuid.slice(0, 8)}…, versions ${row.from} to ${row.to}`,
          );
          const steps = row.timeline.map(
            ({ atMs, step, note }) => `${dateText(atMs)}  ${step}${note ? `: ${note}` : ''}`,
          );
          if (timeline.textContent !== steps.join(''))
            timeline.replaceChildren(...steps.map((step) => element('li', {}, step)));
          setText(message, row.message ? wholeText(JSON.parse(row.message)) : 'The message is not kept.');
        },
      };
    },
  });
