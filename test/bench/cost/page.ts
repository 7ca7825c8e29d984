import { configOf } from '../../../lib/config.ts';
import { anonymousEuro, dearestCall, dearestDayEuro } from './anonymous.ts';
import { markdownTable, paragraph } from './markdown.ts';
import { type Item, type MonthFacts, monthOf } from './month.ts';
import { beyondFree, pricedIn, pricedOn, type Usage, usdOf } from './prices.ts';
import { busiest, checkout, month, monthsKept } from './workload.ts';

/** Facts about the stages on the page. */
export type PageFacts = Record<'staging' | 'production', MonthFacts>;

const sizes = [0, 10_000, 100_000, 1_000_000, 100_000_000];

/** `docs/cost.md`, from measured, counted and assumed figures. */
export const costPage = (facts: PageFacts): string =>
  `${[
    '# Cost of a stage',
    introduction(facts.production),
    '## Cost a month',
    ...monthSection(facts),
    unknowns,
    '## Load',
    load,
    '## Cost of anonymous calls',
    strangers(facts.production),
    dearest(facts.production),
    '## Sources',
    ...sources(facts.production),
  ].join('\n\n')}\n`;

const introduction = ({ measured }: MonthFacts) =>
  paragraph(
    `\`npm run bench -- cost --write\` generates this page, and a test compares it. Counts come from the templates. Read and write units were measured on the real engine (\`npm run bench -- cost --measure\`, last on ${measured.measuredOn}). Prices are those of AWS for ${pricedIn} (${pricedOn}, USD without taxes, the first tier of each; \`test/bench/cost/prices.ts\`). A transaction is a whole checkout: ${callsOfOne} requests and ${checkout.rests} TransactionUpdated events; ${checkout.paidOfTen} of ten transactions are paid. No AWS account has run this load yet, so the first bills may differ.`,
  );

const callsOfOne =
  1 + checkout.v1Reads + checkout.saves + checkout.v2Reads + checkout.v2Lists + checkout.v2Writes;

const columns = ['idle', '10 k', '100 k', '1 M', '100 M'];

const monthSection = ({ production, staging }: PageFacts) => {
  const months = sizes.map((size) => monthOf(production, size));
  const items = (Object.keys(months[0] ?? {}) as Item[]).filter((item) => item !== 'firewall');
  const rows = items.map((item) => [item, ...months.map((month) => usd(usdOf(month[item])))]);
  const total = (usages: Usage[], usdFor = usdOf) => usages.reduce((sum, usage) => sum + usdFor(usage), 0);
  const without = months.map(({ firewall, ...month }) => Object.values(month));
  const idleStaging = Object.values(monthOf(staging, 0));
  return [
    `USD a month in production, by the number of new transactions a month. The stage keeps ${monthsKept} months beside the current one.`,
    markdownTable(
      ['item', ...columns],
      [
        ...rows,
        ['**all, without the firewall**', ...without.map((usages) => bold(total(usages)))],
        ['firewall', ...months.map(({ firewall }) => usd(usdOf(firewall)))],
        [
          'a transaction, in cents',
          ...without.map((usages, index) => cents(total(usages), sizes[index] ?? 0)),
        ],
        ['**after the free tier**', ...without.map((usages) => bold(freeTotal(usages)))],
      ],
      true,
    ),
    paragraph(
      `An idle staging stage costs ${usd(total(idleStaging))} USD, or ${usd(freeTotal(idleStaging))} USD after the free tier. The goal for an idle stage is 9.10 USD without a firewall, which only production has. The free tier of an account is ten alarms and metrics, three dashboards, a million requests to queues and functions, 25 GB of tables, and 5 GB of logs.`,
    ),
  ];
};

/** What is free counts for the account as a whole. */
const freeTotal = (usages: Usage[]) => {
  const all: Record<string, number> = {};
  for (const [name, amount] of usages.flatMap((usage) => Object.entries(usage)))
    all[name] = (all[name] ?? 0) + amount;
  return usdOf(beyondFree(all));
};

const load = paragraph(
  `The busiest second of a month is assumed to have ${busiest} times the mean load: ${whole((1_000_000 * checkout.saves * busiest) / month.seconds)} changes for 1 M transactions a month. [capacity.md](capacity.md) has the changes a second that each part carries.`,
);

const strangers = ({ measured }: MonthFacts) => {
  const { mixed, creating, telling } = anonymousEuro(measured);
  return paragraph(
    `A million anonymous calls of V1 cost (TH-26, \`npm run bench -- anonymous\`): ${whole(mixed)} € for calls of all kinds, ${whole(creating)} € if each call creates a transaction, and ${whole(telling)} € if each transaction also gets content, which includes the events to two partners. Deleting the transactions later is included. The firewall lets one address send ${whole(configOf('production').firewall?.v1PerAddress ?? 0)} calls a minute, of which ${whole(configOf('production').firewall?.v1WritesPerAddress ?? 0)} may write (S-86) and ${whole(configOf('production').firewall?.creationsPerAddress ?? 0)} may create a transaction (S-79). These creations cost ${perDay(creating)} € a day for each address.`,
  );
};

const dearest = ({ measured }: MonthFacts) => {
  const { alone, atOnce, atMost } = dearestCall;
  return paragraph(
    `The dearest anonymous call is a small \`PATCH\` with an \`Idempotency-Key\` and a long \`fields\` that moves the largest transaction of a session (32,000 bytes) to another group and changes its vehicle's identifiers: ${alone.writeUnits} write units alone, and ${atOnce.writeUnits} if twenty come at once on one transaction, because a call that loses against another one is tried again, twenty times at most (${whole(atMost.writeUnits)} units, if many more come at once). Refused tries are counted as whole ones; AWS may charge less. At the firewall's rate of writes, they cost ${dearestDayEuro(measured, 'alone').toFixed(0)} € a day, ${dearestDayEuro(measured, 'atOnce').toFixed(0)} € at twenty at once, and ${dearestDayEuro(measured, 'atMost').toFixed(0)} € at most. An alarm fires at 100,000 write units a minute ([writes-costly](alarms.md#functions-and-stores)).`,
  );
};

/** At the full rate of one address. */
const perDay = (euroOfMillion: number) => {
  const aDay = (configOf('production').firewall?.creationsPerAddress ?? 0) * 60 * 24;
  return ((euroOfMillion * aDay) / 1_000_000).toFixed(2);
};

const sources = ({ measured, pollsADay }: MonthFacts) => [
  paragraph(
    `The units are in \`test/bench/cost/measured.json\`: those of a checkout of the demo data, ${whole(measured.bytes.transaction)} bytes with its entries, and of an event of ${whole(measured.bytes.event)} bytes for each recipient. A stage polls ${whole(pollsADay)} times a day for due rows. Functions have 1 GB of memory; \`test/bench/cost/workload.ts\` has the assumed times of an invocation.`,
  ),
];

/** What neither the templates nor a stand-in for AWS shows. */
const unknowns = paragraph(
  `The table leaves out costs that only a bill shows: calls of KMS by EventBridge for the encrypted bus (at most a few for each event and delivery, at 0.03 USD for 10,000), the key versions of the yearly rotation (1 USD a month each, for the first two), AWS Backup with \`copies\` ([recovery](recovery.md#the-region)), and CloudTrail's data events for access by people.`,
);

const usd = (amount: number) => (amount < 100 ? amount.toFixed(2) : whole(amount));
const bold = (amount: number) => `**${usd(amount)}**`;
const cents = (amount: number, transactions: number) =>
  transactions === 0 ? '' : ((100 * amount) / transactions).toFixed(2);
function whole(amount: number): string {
  return Math.round(amount).toLocaleString('en');
}
