import { configOf } from '../../../lib/config.ts';
import { anonymousEuro } from './anonymous.ts';
import { markdownTable, paragraph } from './markdown.ts';
import { type Item, type MonthFacts, monthOf } from './month.ts';
import { beyondFree, pricedIn, pricedOn, type Usage, usdOf } from './prices.ts';
import { quotasOf } from './quotas.ts';
import { busiest, checkout, groups, milliseconds, monthsKept, partners } from './workload.ts';

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
    '## Quotas by transactions a month',
    ...quotaSection(facts.production),
    '## Cost of anonymous calls',
    strangers(facts.production),
    '## Sources',
    ...sources(facts.production),
  ].join('\n\n')}\n`;

const introduction = ({ measured }: MonthFacts) =>
  paragraph(`Made by \`npm run bench -- cost --write\`, and compared with it by a test. Counts come from the templates, units from the real
engine (\`npm run bench -- cost --measure\`, last on ${measured.measuredOn}), prices from AWS's list for ${pricedIn} (${pricedOn}, USD without taxes, the first tier of each; \`test/bench/cost/prices.ts\`). A transaction is a whole checkout: ${callsOfOne} requests, ${checkout.rests} rests that partners are
notified of, ${checkout.paidOfTen} payments in ten. No account has run this yet: the bill decides.`);

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
    `USD a month in production, by new transactions; ${monthsKept} months are kept beside the current one.`,
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
        ['**less what an account has free**', ...without.map((usages) => bold(freeTotal(usages)))],
      ],
      true,
    ),
    paragraph(`Staging at rest costs ${usd(total(idleStaging))} USD, or ${usd(freeTotal(idleStaging))} beyond what an account has free. The
goal is 9 USD at rest without a firewall, which production alone has. Free for every account, once: ten alarms and
metrics, three dashboards, a million requests to queues and functions, 25 GB of tables, 5 GB of logs.`),
  ];
};

/** What is free counts for the account as a whole. */
const freeTotal = (usages: Usage[]) => {
  const all: Record<string, number> = {};
  for (const [name, amount] of usages.flatMap((usage) => Object.entries(usage)))
    all[name] = (all[name] ?? 0) + amount;
  return usdOf(beyondFree(all));
};

const quotaSection = (facts: MonthFacts) => {
  const quotas = quotasOf(facts);
  const busy = sizes.slice(1);
  const rows = quotas.map(({ name, limit, need }) => [
    name,
    whole(limit),
    ...busy.map((size) => share(need(size) / limit)),
  ]);
  return [
    paragraph(`Shares of quotas in the busiest second, which has ${busiest} times the mean; ${groups} groups, ${partners} partners.
**Bold** is above the quota. By changes a second, and by partners (300 rules a bus): [capacity.md](capacity.md).`),
    markdownTable(['quota, a second', 'limit', ...columns.slice(1)], rows, true),
    'To raise them, in this order:',
    raises(facts),
  ];
};

const raises = (facts: MonthFacts) => {
  const largest = sizes.at(-1) ?? 0;
  const reached = quotasOf(facts).map((quota) => ({ ...quota, at: quota.need(largest) / quota.limit }));
  const inOrder = reached.toSorted((a, b) => b.at - a.at).filter(({ at }) => at > 1);
  return inOrder
    .map(({ name, at, raise }) =>
      paragraph(`- **${name}**, from ${size(largest / at)} transactions a month: ${raise}.`, '  '),
    )
    .join('\n');
};

const strangers = ({ measured }: MonthFacts) => {
  const { mixed, creating, telling } = anonymousEuro(measured);
  return paragraph(`A million anonymous calls of all kinds cost ${whole(mixed)} €, a million of which each makes a transaction ${whole(creating)} €,
and a million of which each also sends something for it ${whole(telling)} €, with events to two partners and with what deletes it in the end (TH-26, \`npm run bench -- anonymous\`). The firewall lets one address
send ${whole(configOf('production').firewall?.v1PerAddress ?? 0)} a minute, of which ${whole(configOf('production').firewall?.creationsPerAddress ?? 0)} may make one (S-79): ${perDay(creating)} € a day and address.`);
};

/** At the full rate of one address. */
const perDay = (euroOfMillion: number) => {
  const aDay = (configOf('production').firewall?.creationsPerAddress ?? 0) * 60 * 24;
  return ((euroOfMillion * aDay) / 1_000_000).toFixed(2);
};

const sources = ({ measured, pollsADay }: MonthFacts) => [
  paragraph(`Units of a checkout as the demo data has it, ${whole(measured.bytes.transaction)} bytes with its entries, and of an event, ${whole(measured.bytes.event)} bytes a
recipient. A stage polls ${whole(pollsADay)} times a day for due rows.`),
  markdownTable(
    ['what', 'write units', 'read units', 'requests'],
    [
      ['a transaction is created', measured.create],
      ['a save', measured.save],
      ['one record', measured.read],
      ['a page of ten', measured.list],
      ['the row of what changed', measured.recordChange],
      ['an event for one', measured.event.first],
      ['a further recipient', measured.event.further],
      ['a poll that finds nothing', measured.poll],
    ].map(([name, units]) => {
      const { write, read, requests } = units as typeof measured.create;
      return [String(name), ...[write, read, requests].map(String)];
    }),
    true,
  ),
  paragraph(
    `Functions have 1 GB. Assumed milliseconds of an invocation: ${Object.entries(milliseconds)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(', ')}.`,
  ),
];

/** What neither the templates nor a stand-in for AWS shows. */
const unknowns =
  paragraph(`Not in the table, because only a bill shows it: how often EventBridge calls KMS for the encrypted bus
(at most some calls for each event and delivery, at 0.03 USD for 10,000), the versions of the key that its yearly rotation adds (1 USD a
month each, for the first two), AWS Backup with \`copies\` ([recovery](recovery.md#the-region)), and CloudTrail's data events for what
people do at tables.`);

const usd = (amount: number) => (amount < 100 ? amount.toFixed(2) : whole(amount));
const bold = (amount: number) => `**${usd(amount)}**`;
const cents = (amount: number, transactions: number) =>
  transactions === 0 ? '' : ((100 * amount) / transactions).toFixed(2);
const whole = (amount: number) => Math.round(amount).toLocaleString('en');
const share = (part: number) => {
  const text = part < 0.005 ? '< 1 %' : `${whole(100 * part)} %`;
  return part > 1 ? `**${text}**` : text;
};
const size = (amount: number) => Number(amount.toPrecision(2)).toLocaleString('en');
