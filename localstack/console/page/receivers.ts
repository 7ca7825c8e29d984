import type { Condition } from '../../webhook-receiver/condition.ts';
import type { View } from '../view.ts';
import { byId, element, keepRows } from './dom.ts';
import type { Press } from './stage.ts';

const conditions: Condition[] = ['healthy', 'answers 500', 'answers 401', 'does not answer'];

/** Shows a choice for each partner's receiver: healthy, or broken as real receivers are. */
export const showReceivers = (press: Press) =>
  keepRows<View['partners'][number]>(byId('receivers'), {
    keyOf: ({ name }) => name,
    create: ({ name }) => {
      const options = conditions.map((condition) => element('option', {}, condition));
      const select = element('select', {}, ...options);
      select.addEventListener('change', () =>
        press({ do: 'receiver', partner: name, condition: select.value }),
      );
      return {
        node: element('label', {}, name, select),
        update: ({ condition }) => {
          select.value = condition;
          select.classList.toggle('broken', condition !== 'healthy');
        },
      };
    },
  });
