import fc from 'fast-check';
import { columnNames, columns } from '../../../functions/shared/domain/listing/columns.ts';
import { anyText } from './any-text.ts';

const words = (text: string) => fc.constantFrom(...text.split(' '));

const knownNames = words('fields fields[] expand expand[] page per-page after sort');
const filterNames = fc.constantFrom(...columnNames.map((name) => columns[name].parameter));
const oddNames = words(
  'filter +filter[uuid] amp;fields %22page%22 filter[] filter[status][] filter[identifiers] FILTER[uuid] filter[uuid __proto__ constructor[prototype] a[b][c][d][e] page[] %5B%5D =',
);
const selections = words(
  'uuid status payments payments.details.brand vehicle.identifiers customer customer.* * *.x ndMeta ndMeta.group __proto__ constructor.name version session own . .. a.b.c',
);
const values = words(
  '0 1 2 3 -1 50 999999999999999999999 1e3 %00 %ff % %ED%A0%80 + %2B %25 \u202e 😀 " \\ \' %0D%0A <script>',
);

const text = fc.oneof(
  { weight: 3, arbitrary: values },
  { weight: 3, arbitrary: fc.array(selections, { maxLength: 4 }).map((names) => names.join(',')) },
  { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

/** Query strings as callers and attackers write them; `stored` are values that records have. */
export const queries = (stored: readonly string[]): fc.Arbitrary<string> => {
  const found = fc.constantFrom('0', '1', ...stored);
  const pair = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(knownNames, text) },
    { weight: 3, arbitrary: fc.tuple(filterNames, found) },
    { weight: 1, arbitrary: fc.tuple(filterNames, text) },
    { weight: 1, arbitrary: fc.tuple(fc.oneof(oddNames, text), text) },
  );
  return fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.map((parts) => parts.join('=')).join('&'));
};
