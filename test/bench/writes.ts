import { realRetryDelays } from '../../functions/shared/store/dynamodb/retry.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import { shop } from '../support/apis/v1-transaction.ts';
import { openWriteApis } from '../support/apis/write-apis.ts';
import { createMeter } from '../support/engine/meter.ts';
import { onEngine, print, type Row } from './measuring.ts';

const tables = {
  transactionsTable: 'Transactions',
  listingTable: 'Listing',
  requestsTable: 'Requests',
  debounceTable: 'Debounce',
};

const vehicle = { identifiers: { ndstockid: 'ND1', salesmasterid: 'SM1' }, make: 'Ford' };

/** What each write costs, through the functions and with the goals beside it. */
export const run = () =>
  onEngine(async ({ documents }) => {
    const measure = createMeter(documents, tables.listingTable);
    const settings = { settings: productionSettings, retryDelays: realRetryDelays };
    const apis = await openWriteApis({ documents, ...tables, ...settings });
    const token = await apis.tokenOf('session-bench');

    /** One request of the partner or of the session; anything but success ends the benchmark. */
    const ask = async (method: string, target: string, body: object, key?: string) => {
      const { status, text } = await apis.ask(target, {
        method,
        headers: {
          Authorization: `Bearer ${target.includes('/v2/') ? 'WIDE' : token}`,
          'Content-Type': 'application/json',
          Origin: shop,
          ...(key && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify(body),
      });
      if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`);
      return text;
    };
    let uuid = '';
    const create = async (key?: string) => {
      const body = { location: 'north', guestEmail: 'a@example.com', vehicle };
      uuid = JSON.parse(await ask('POST', '/api/transaction', body, key)).uuid;
    };
    const change = (body: object, key?: string) => ask('PATCH', `/api/v2/transaction/${uuid}`, body, key);
    const pay = (status: number, key?: string) =>
      ask('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '99.00', status }, key);
    const steps: [string, string, () => Promise<unknown>][] = [
      ['create, and the count of its session', '≤ 37', () => create()],
      ['the same under a key', '', () => create('k-1')],
      ['any other update', 'listing 0', () => change({ guestEmail: 'b@example.com' })],
      ['the same under a key', 'listing 0', () => change({ guestEmail: 'c@example.com' }, 'k-2')],
      ['a replay', '0', () => change({ guestEmail: 'c@example.com' }, 'k-2')],
      ['a save without a change', '0', () => change({ guestEmail: 'c@example.com' })],
      ['move to another location', '≤ 26', () => change({ location: 'south' })],
      ['move to another group', '≤ 58', () => change({ location: 'east' })],
      ['a failed payment', '', () => pay(0)],
      ['create', '≤ 37', () => create()],
      ['a payment that completes', 'listing ≤ 34', () => pay(1)],
      ['a later payment under a key', '', () => pay(1, 'k-3')],
      ['delete', '', () => change({ isDeleted: 1 })],
    ];
    const rows: Row[] = [];
    for (const [name, goal, step] of steps) {
      const { write, writeItems, index, read, requests } = await measure(step);
      rows.push([name, write, writeItems, index, goal, read, requests]);
    }
    print(['write', 'WCU', 'items', 'of them the listing', 'goal', 'RCU', 'requests'], rows);
  });
