import type { Condition } from '../../webhook-receiver/condition.ts';
import type { View } from '../view.ts';
import { byId, element, keepRows } from './dom.ts';
import type { Press } from './stage.ts';

const conditions: Condition[] = ['healthy', 'answers 500', 'answers 401', 'does not answer'];

/** A choice for each partner's receiver: it is healthy, or broken in one of the ways that real ones are. */
export const showReceivers = (press: Press) =>
  keepRows<View['partners'][number]>(byId('receivers'), {
    keyOf: ({ name }) => name,
    create: ({ name }) => {
      const select = element('select', {}, ...conditions.map((one) => element('option', {}, one)));
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
