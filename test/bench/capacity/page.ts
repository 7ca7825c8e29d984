import { configOf } from '../../../lib/config.ts';
import { modelled } from '../contention/modelled.ts';
import { inFlightMs } from '../contention/table.ts';
import { markdownTable, paragraph } from '../cost/markdown.ts';
import type { Measured } from '../cost/measured.ts';
import { aws } from './aws.ts';
import { measuredFlush } from './measured-flush.ts';
import { partnerRows } from './partners.ts';
import { loadOf, type Part, partsOf, singlesOf } from './parts.ts';

const rates = [10, 100, 1_000];
const partnerNumbers = [10, 300, 1_000, 10_000];

/** `docs/capacity.md`, from what was measured and counted and from AWS's limits. */
export const capacityPage = (measured: Measured): string => {
  const parts = partsOf(measured);
  return `${[
    '# What a stage can carry',
    introduction(measured),
    '## One of each',
    markdownTable(
      ['one', 'carries a second'],
      singlesOf(measured).map(({ name, carries }) => [name, carries]),
    ),
    '## Which fills up first',
    shares,
    partTable(parts),
    'In this order:',
    raises(parts),
    hot,
    '## What a stranger may take',
    strangersBeside,
    strangerTable,
    strangersBeyond,
    '## Partners',
    partnersBeside,
    partnerTable(measured),
    partnersBeyond,
    '## What it is computed from',
    sources,
    markdownTable(['limit of AWS', 'at most', 'source'], awsRows()),
  ].join('\n\n')}\n`;
};

const introduction = ({ measuredOn }: Measured) =>
  paragraph(`Made by \`npm run bench -- cost --write\`, and held against it by a test: write units come from the real engine (last
measured on ${measuredOn}), what an invocation publishes from the simulation's virtual clock (${measuredFlush.measuredOn}), limits from
AWS's documents, the rest from the code. Nobody has run this on an account yet: the first load test decides. What a month
costs, and which quota a month's transactions reach first, is in [cost.md](cost.md).`);

const shares =
  paragraph(`A change is a save that rests and is sent to two partners. One new transaction comes with eight
changes, and four of ten are paid; a third of everything is of one group, and one partner is notified of a third. The columns say how full a part is at 10,
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

const hot =
  paragraph(`What is full loses nothing. A write that a table refuses is tried again and then answered 503; a change that the
stream is late with, or that the invocations do not come to, is sent later, and an alarm rings after 60 s; what an endpoint is not fast
enough for waits in the bus, and comes into the delivery log as a dead letter after 24 h.`);

const { creationsPerAddress = 0 } = configOf('production').firewall ?? {};

const strangersBeside =
  paragraph(`Anybody may make transactions, in any group that has a storefront. The firewall of production lets one address make ${creationsPerAddress} a minute (S-79),
three addresses ${(3 * creationsPerAddress) / 60} a second. A group carries ${modelled.groupCarries} writes a second that change its counters: ${Math.ceil((modelled.groupCarries * 60) / creationsPerAddress)} addresses at their full
rate fill it. The model (\`npm run bench -- contention\`) has the keys, shards and retries of the
code and five honest writes a second in the group, payments among them:`);

const strangerTable = markdownTable(
  ['honest writes beside', 'taken', 'at the first try'],
  Object.entries(modelled.besides).map(([name, [taken, atOnce]]) => [name, `${taken} %`, `${atOnce} %`]),
  true,
);

const strangersBeyond =
  paragraph(`A firewall counts over a minute, so an address may send all of its ${creationsPerAddress} in one second. Aimed at one location, whose
counters are one item, three addresses make some of that location's own writes fail with 503 in the seconds after, and
nobody else's. AWS's count is an estimate and comes late: for some seconds, seldom minutes, an address may pass more than its rate, which the model does not have. Strangers from many addresses ring \`anonymous-creations\`.`);

const partnersBeside = paragraph(
  `Partners cost nothing by being there: who may be notified is found by the owner. What their number does weigh on:`,
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
  paragraph(`The 301st partner with a webhook needs a higher quota of rules, the 3,001st of destinations and connections; the
operator's tool says so by name. Where AWS gives no more, partners have to be divided among buses, which the code does not do
yet: the bus is a name in the stage's outputs, and would have to become one of the partner's. One grant has room for about
15,000 grantees; more of them need its item divided, as the first digit of its key divides all of them now. Before that it
is the events for all of them that are dear, not the reading of who they are: it is read once for a hundred rows.`);

const sources =
  paragraph(`A save and an event cost what \`measured.json\` says. A change of a key in an index is a deletion and a put, so a change
takes two units of the index of changes, and a debounce row two of the index of what is due. Of ${modelled.groupCarries} writes a second in one group
90 % come through at the first try (modelled: each is under way for ${inFlightMs.from} to ${inFlightMs.to} ms, in a group of ten franchises with ten locations
each; where a group has one location, 5 do). An invocation reads a hundred records of the stream in
68 ms: half a millisecond each of its own time, 8 ms to the table, 10 ms to begin. Queues have no limit that comes near. One invocation of the flush publishes ${whole(measuredFlush.oneWorker)} events a
second for one partner each, all together ${whole(measuredFlush.allWorkers)}: the production code, half a millisecond of its own time for a
request, 8 ms to a table, 50 ms to the bus.`);

const awsRows = () =>
  Object.entries(aws).map(([name, { limit, source }]) => [inWords(name), whole(limit), source]);

/** `itemBytes` as "item bytes". */
const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const share = (part: number) => {
  const percent = part < 0.01 ? '< 1 %' : `${whole(part * 100)} %`;
  return emphasized(percent, part > 1);
};

const emphasized = (text: string, is: boolean) => (is ? `**${text}**` : text);

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
