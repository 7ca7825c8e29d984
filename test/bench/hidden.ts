import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aV2Read } from '../support/apis/v2-read.ts';
import { aPartner } from '../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import type { TestEngine } from '../support/engine/engine.ts';
import { readerWithoutDrift } from '../support/engine/transaction-reader.ts';
import { judged, median, onEngine, print, type Row, timed } from './measuring.ts';

const calls = 200;
const warmCalls = 50;
const goalMs = 2;

type Ask = (target: string) => Promise<unknown>;

/** As a partner that may not see the group of the one transaction there is. */
const askForTransactions = async ({ documents }: TestEngine): Promise<Ask> => {
  const tables = { documents, transactionsTable: 'Transactions', listingTable: 'Listing' };
  const vehicle = { identifiers: { ndstockid: 'HIDDEN', salesmasterid: 'HIDDEN' }, note: 'x'.repeat(20_000) };
  const ndMeta = anOwner({ group: 'group-b' });
  await createTransactionWriter(tables).create(aNewTransaction({ uuid: uuidOf(90), vehicle, ndMeta }));
  const reader = readerWithoutDrift({ ...tables, membersOf: async () => [] });
  return (await aV2Read({ reader, partners: [aPartner({ grants: [{ group: 'group-a' }] })] })).get;
};

/** In turn, so that other work on the machine meets both alike. */
const rowOf = async (asked: string, ask: Ask, ...targets: [hidden: string, absent: string]): Promise<Row> => {
  const times = targets.map((): number[] => []);
  for (let call = -warmCalls; call < calls; call += 1)
    for (const [index, target] of targets.entries()) {
      const ms = await timed(() => ask(target));
      if (call >= 0) times[index]?.push(ms);
    }
  const [hidden = Number.NaN, absent = Number.NaN] = times.map(median);
  const difference = Math.abs(hidden - absent);
  const goal = judged(difference <= goalMs, `≤ ${goalMs} ms`);
  return [asked, hidden.toFixed(2), absent.toFixed(2), difference.toFixed(2), goal];
};

/** Does the time of an answer tell whether a record exists that the caller may not see (S-36)? */
export const run = () =>
  onEngine(async (engine) => {
    const path = '/api/v2/transaction';
    const ask = await askForTransactions(engine);
    const rows = [await rowOf('one by its address', ask, `${path}/${uuidOf(90)}`, `${path}/${uuidOf(91)}`)];
    for (const [name, hidden, absent] of [
      ['filter[uuid]', uuidOf(90), uuidOf(91)],
      ['filter[identifiers][ndstockid]', 'HIDDEN', 'ABSENT'],
      ['filter[identifiers][salesmasterid]', 'HIDDEN', 'ABSENT'],
    ] as const)
      rows.push(await rowOf(name, ask, `${path}?${name}=${hidden}`, `${path}?${name}=${absent}`));
    print(['asked for', 'hidden ms', 'absent ms', 'difference', 'goal'], rows);
  });
