import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  bodiesOf,
  eventItems,
} from '../../../../../../functions/shared/store/debounce/delivery-log-items.ts';
import { placeBodies } from '../../../../../../functions/shared/store/debounce/event-bodies.ts';
import { anEvent } from '../../../../../support/builders/events.ts';

const large = randomBytes(3_000).toString('base64');

describe('the bodies of an event', () => {
  test('are in the row of the event if small, and else in rows of their own', () => {
    const sortKeysOf = (bodies: { plain: string; tokens?: string }) =>
      eventItems(anEvent(), bodies).map(({ sk }) => sk);

    expect(sortKeysOf({ plain: '{}', tokens: '{"token":1}' })).toEqual(['EVENT']);
    expect(sortKeysOf({ plain: 'x'.repeat(59_000) })).toEqual(['EVENT']);
    expect(sortKeysOf({ plain: '{}', tokens: large })).toEqual(['EVENT', 'BODY#plain', 'BODY#tokens']);
  });

  test.each([{ plain: 'ü"\\u00e9 ' }, { plain: large, tokens: `${large}ü` }, { plain: '' }])(
    'I6 are read as they were written: %#',
    (bodies) => {
      expect(bodiesOf(eventItems(anEvent(), bodies))).toEqual(bodies);
    },
  );

  test('of an event without recipients are none', () => {
    expect(bodiesOf(eventItems(anEvent(), undefined))).toBeUndefined();
  });

  test('take a third of their bytes for typical events', () => {
    const detail = Array.from({ length: 6 }, (_, id) => ({
      id,
      name: `Extra ${id}`,
      price: '199.00',
      quantity: 1,
    }));
    const { within } = placeBodies('e', { plain: JSON.stringify({ version: '0', detail }) });

    expect(within.plain?.length).toBeLessThan(JSON.stringify(detail).length / 3);
  });
});
