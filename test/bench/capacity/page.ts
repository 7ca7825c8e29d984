import { configOf } from '../../../lib/config.ts';
import { modelled } from '../contention/modelled.ts';
import { inFlightMs } from '../contention/table.ts';
import { markdownTable, paragraph } from '../cost/markdown.ts';
import type { Measured } from '../cost/measured.ts';
import { measuredFlush } from './measured-flush.ts';
import { partnerRows } from './partners.ts';
import { loadOf, type Part, partsOf } from './parts.ts';

const rates = [10, 100, 1_000];
const partnerNumbers = [10, 300, 1_000, 10_000];

/** `docs/capacity.md`, from measured and counted figures and AWS's limits. */
export const capacityPage = (measured: Measured): string => {
  const parts = partsOf(measured);
  return `${[
    '# Capacity: what a stage can carry',
    introduction(measured),
    '## Which part fills up first',
    shares,
    partTable(parts),
    'To raise them, in this order:',
    raises(parts),
    hot,
    '## Load by strangers',
    strangersBeside,
    strangerTable,
    strangersBeyond,
    '## Number of partners',
    partnersBeside,
    partnerTable(measured),
    partnersBeyond,
    '## Sources',
    sources,
  ].join('\n\n')}\n`;
};

const introduction = ({ measuredOn }: Measured) =>
  paragraph(`Made by \`npm run bench -- cost --write\`, and compared with it by a test. Write units come from the real engine (measured
on ${measuredOn}), events an invocation from the simulation's virtual clock (${measuredFlush.measuredOn}), limits from AWS's documents, the rest from the code. No account has carried this load yet: a load
test decides. Monthly costs and quotas: [cost.md](cost.md).`);

const shares =
  paragraph(`A change is a save that rests and is sent to two partners. One new transaction comes with eight
changes, and four of ten are paid. A third of everything is of one group, and one partner is notified of a third. The last columns say how full a part is at 10,
100 and 1,000 changes a second. **Bold** is more than it carries.`);

const partTable = (parts: readonly Part[]) =>
  markdownTable(
    ['part', 'carries a second', 'full at', ...rates.map(whole)],
    parts.map((part) => [
      part.name,
      `${whole(part.carries)} ${part.unit}`,
      whole(fullAt(part)),
      ...rates.map((rate) => share(part.takes(loadOf(rate)) / part.carries)),
    ]),
  );

/** Changes a second: what a part takes grows in step with them. */
const fullAt = ({ carries, takes }: Part) => carries / takes(loadOf(1));

const raises = (parts: readonly Part[]) =>
  parts
    .toSorted((a, b) => fullAt(a) - fullAt(b))
    .filter((part) => fullAt(part) < 10_000)
    .map((part) => paragraph(`- **${part.name}**, at ${whole(fullAt(part))}: ${part.raise}.`, '  '))
    .join('\n');

const hot = paragraph(
  `A full part loses nothing. A write that a table refuses is retried and then answered 503. A late change is sent later, and an alarm fires after 60 s. What an endpoint does not take waits in the bus, and becomes a dead letter after 24 h.`,
);

const { creationsPerAddress = 0 } = configOf('production').firewall ?? {};

const strangersBeside =
  paragraph(`Anybody may make transactions, in any group that has a storefront. The firewall of production lets one address make ${creationsPerAddress} a minute (S-79),
three addresses ${(3 * creationsPerAddress) / 60} a second. A group carries ${modelled.groupCarries} writes a second that change its counters: ${Math.ceil((modelled.groupCarries * 60) / creationsPerAddress)} addresses at their full
rate fill it. Modelled (\`npm run bench -- contention\`), with five honest writes a second in the group, payments among them:`);

const strangerTable = markdownTable(
  ['honest writes beside', 'taken', 'at the first try'],
  Object.entries(modelled.besides).map(([name, [taken, atOnce]]) => [name, `${taken} %`, `${atOnce} %`]),
  true,
);

const strangersBeyond = paragraph(
  `A firewall counts over a minute, so an address may send all of its ${creationsPerAddress} in one second. Aimed at one location, whose counters are one item, three addresses make some writes of that location fail with 503 in the seconds after, and no others. AWS's count is an estimate and late, so an address may exceed its rate for seconds, seldom minutes; the model leaves this out. Strangers from many addresses ring \`anonymous-creations\`.`,
);

const partnersBeside = paragraph(
  `A partner without events costs nothing, because recipients are found by the owner. The number of partners weighs on:`,
);

const partnerTable = (measured: Measured) =>
  markdownTable(
    ['with so many partners', 'limit', ...partnerNumbers.map(whole)],
    partnerRows(measured).map(({ name, limit, at }) => [
      name,
      limit === undefined ? '' : whole(limit),
      ...partnerNumbers
        .map(at)
        .map((value) => emphasized(whole(value), limit !== undefined && value > limit)),
    ]),
    true,
  );

const partnersBeyond =
  paragraph(`From the 301st partner with a webhook on, raise the quota of rules, from the 3,001st on that of destinations and connections; the
operator's tool names it. Beyond what AWS gives, partners must be divided among buses, which the code cannot do yet. One grant has room for about
15,000 grantees; more need its item divided. Events for all partners become expensive before that.`);

const sources =
  paragraph(`Units of a save and an event are in \`test/bench/cost/measured.json\`, AWS's limits and their sources in \`test/bench/capacity/aws.ts\`. A changed key in an index is a deletion and a put: two units of the index of changes, and two of the index of due rows. Of ${modelled.groupCarries} writes a second in one group
90 % succeed at the first try (modelled: each is under way for ${inFlightMs.from} to ${inFlightMs.to} ms, in a group of ten franchises with ten locations
each; with one location, 5 do). An invocation reads a hundred stream records in
68 ms: half a millisecond each, 8 ms to the table, 10 ms to begin. One invocation publishes ${whole(measuredFlush.oneWorker)} events a
second for one partner each, all together ${whole(measuredFlush.allWorkers)}: the production code, half a millisecond for a
request, 8 ms to a table, 50 ms to the bus.`);

const share = (part: number) => {
  const percent = part < 0.01 ? '< 1 %' : `${whole(part * 100)} %`;
  return emphasized(percent, part > 1);
};

const emphasized = (text: string, is: boolean) => (is ? `**${text}**` : text);

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
