import { Command } from 'commander';
import { createDeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../../functions/shared/store/debounce/delivery-log-page.ts';
import { createTransactionReader } from '../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aV2Partner } from '../support/apis/v2-partner.ts';
import { aV2Read } from '../support/apis/v2-read.ts';
import { aPartner } from '../support/builders/a-partner.ts';
import { anEvent, someBodies } from '../support/builders/events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import { judged, print } from './print.ts';
import { median, timed } from './times.ts';

const calls = 200;
const warmCalls = 50;
const goalMs = 2;

/** How many others are notified of the hidden event. */
const recipients = 5_000;
const eventAt = (number: number) =>
  `/api/v2/event/00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Does the time of an answer tell whether a record exists that the caller may not see (S-36)? */
const questions: [asked: string, hidden: string, absent: string][] = [
  ['one by its address', `/${uuidOf(90)}`, `/${uuidOf(91)}`],
  ['filter[uuid]', `?filter[uuid]=${uuidOf(90)}`, `?filter[uuid]=${uuidOf(91)}`],
  ...['ndstockid', 'salesmasterid'].map((name): [string, string, string] => [
    `filter[identifiers][${name}]`,
    `?filter[identifiers][${name}]=HIDDEN`,
    `?filter[identifiers][${name}]=ABSENT`,
  ]),
];

type Ask = (target: string) => Promise<unknown>;

new Command('bench -- hidden')
  .description(
    'Prints how long answers take for a record that the caller may not see and for none at all, over the real engine (S-36). Goals stand beside.',
  )
  .parse();

const engine = await startEngine();
try {
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  const { documents } = engine;
  const vehicle = { identifiers: { ndstockid: 'HIDDEN', salesmasterid: 'HIDDEN' }, note: 'x'.repeat(20_000) };
  const ndMeta = anOwner({ group: 'group-b' });
  await createTransactionWriter({ documents, ...tables }).create(
    aNewTransaction({ uuid: uuidOf(90), vehicle, ndMeta }),
  );
  const reader = createTransactionReader({ documents, ...tables, membersOf: async () => [] });
  const { get } = await aV2Read({ reader, partners: [aPartner({ grants: [{ group: 'group-a' }] })] });

  const rowOf = async (asked: string, ask: Ask, ...targets: [hidden: string, absent: string]) => {
    const [one, other] = await mediansOf(ask, ...targets);
    const difference = Math.abs(one - other);
    const goal = judged(difference <= goalMs, `≤ ${goalMs} ms`);
    return [asked, one.toFixed(2), other.toFixed(2), difference.toFixed(2), goal];
  };
  const rows: string[][] = [];
  for (const [asked, hidden, absent] of questions)
    rows.push(await rowOf(asked, get, `/api/v2/transaction${hidden}`, `/api/v2/transaction${absent}`));
  const ofEvents = `an event of ${recipients.toLocaleString('en')} others`;
  rows.push(await rowOf(ofEvents, await askForEvents(engine), eventAt(90), eventAt(91)));
  print(['asked for', 'hidden ms', 'absent ms', 'difference', 'goal'], rows);
} finally {
  await engine.stop();
}

/** As a partner that is not among the recipients of the one event there is. */
async function askForEvents({ documents }: TestEngine): Promise<Ask> {
  const access = { documents, debounceTable: 'Debounce', clock: () => new Date() };
  const deliveryLog = { ...createDeliveryLogStore(access), ...createDeliveryLogPages(access) };
  const event = anEvent({
    eventId: eventAt(90).split('/').at(-1) ?? '',
    claimedAtMs: Date.now(),
    recipients: Array.from({ length: recipients }, (_, index) => `partner-of-others-${index}`),
  });
  await deliveryLog.addMissing({ event, bodies: someBodies, deliveries: [] });
  return (await aV2Partner({ deliveryLog })).get;
}

/** In turn, so that other work on the machine meets both alike. */
async function mediansOf(ask: Ask, ...targets: [string, string]) {
  const times = targets.map((): number[] => []);
  for (let call = -warmCalls; call < calls; call += 1)
    for (const [index, target] of targets.entries()) {
      const ms = await timed(() => ask(target));
      if (call >= 0) times[index]?.push(ms);
    }
  return times.map(median) as [number, number];
}
