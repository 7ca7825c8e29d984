import type { DeliveryRow } from '../view.ts';
import { byId, element, keepRows, setText } from './dom.ts';
import { clockText } from './time.ts';

const marks: Record<DeliveryRow['state'], string> = {
  READY: 'to be sent',
  HELD: 'held',
  ACCEPTED: 'on its way',
  DELIVERED: 'delivered',
  DEAD: 'given up',
  SUPPRESSED: 'not sent',
};

/** Each delivery with its timeline, as the delivery log has it. */
export const showDeliveries = () =>
  keepRows<DeliveryRow>(byId('deliveries'), {
    keyOf: ({ eventId, partner }) => `${eventId} ${partner}`,
    create: () => {
      const mark = element('span', { class: 'mark' });
      const title = element('span', { class: 'grow' });
      const timeline = element('ol', { class: 'timeline' });
      const node = element(
        'li',
        {},
        element('details', { class: 'grow' }, element('summary', {}, mark, title), timeline),
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
            ({ atMs, step, note }) => `${clockText(atMs)}  ${step}${note ? `: ${note}` : ''}`,
          );
          if (timeline.textContent !== steps.join(''))
            timeline.replaceChildren(...steps.map((step) => element('li', {}, step)));
        },
      };
    },
  });
