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
    '## Limits of each part',
    shares,
    partTable(parts),
    'To raise them, in this order:',
    raises(parts),
    hot,
    '## Load by strangers',
    strangersBeside,
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
  paragraph(
    `\`npm run bench -- cost --write\` generates this page, and a test compares it. Write units were measured on the real engine (${measuredOn}), and events of an invocation in the simulation (${measuredFlush.measuredOn}). No AWS account has carried this load yet; run a load test before you rely on a figure. [cost.md](cost.md) has monthly costs.`,
  );

const shares = paragraph(
  `A change is a save that makes an event for two partners. There is one new transaction for eight changes, and four of ten transactions are paid. One group has a third of all transactions, and one partner gets a third of all events. "Full at" is the number of changes a second at which a part reaches its limit. The last columns are the shares of the limit at 10, 100 and 1,000 changes a second; **bold** is above the limit.`,
);

const partTable = (parts: readonly Part[]) =>
  markdownTable(
    ['part', 'limit a second', 'full at', ...rates.map(whole)],
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
  `At a limit nothing is lost. A write that a table refuses is retried, and then answered 503. Events are late, and an alarm fires after 60 s. EventBridge retries deliveries that an endpoint does not accept, and makes them dead letters after 24 h.`,
);

const { creationsPerAddress = 0, v1WritesPerAddress = 0 } = configOf('production').firewall ?? {};

/** Of the scenarios with honest writes everywhere in the group, or all of them at one location, the smallest share. */
const fewest = (at: 0 | 1, where: 'everywhere' | 'at one location') =>
  Math.min(
    ...Object.entries(modelled.besides)
      .filter(([name]) => name.includes('all others') === (where === 'at one location'))
      .map(([, shares]) => shares[at]),
  );

const strangersBeside = paragraph(
  `Anybody may create transactions in any group that has a storefront, and change, move and delete them. The firewall of production lets one address create ${creationsPerAddress} transactions a minute (S-79), and send ${v1WritesPerAddress} writes of V1 a minute in all (S-86). A group carries ${modelled.groupCarries} writes a second that change its counters, as many as ${Math.ceil((modelled.groupCarries * 60) / creationsPerAddress)} addresses create, or ${Math.ceil((modelled.groupCarries * 60) / v1WritesPerAddress)} addresses move. A model (\`npm run bench -- contention\`) has five writes a second of real buyers in the group, payments included, beside three addresses that create, move or delete at the full rate, or a partner that moves or deletes. At least ${fewest(0, 'everywhere')} % of the buyers' writes succeed, and ${fewest(1, 'everywhere')} % at the first attempt; alone it is all and ${modelled.besides['nobody else'][1]} %. If all writes, the strangers' and the buyers', are for one location, it is ${fewest(0, 'at one location')} % and ${fewest(1, 'at one location')} %.`,
);

const strangersBeyond = paragraph(
  `An address may send all of its writes of a minute in one second; these are the scenarios in which some writes fail. They get 503 in the seconds after that; other groups are not affected. AWS's count is late and an estimate, so an address may exceed its rate for seconds, seldom minutes; the model leaves this out. Strangers from many addresses fire the alarm \`anonymous-creations\`.`,
);

const partnersBeside = paragraph(
  `A partner without events costs nothing. These figures grow with the number of partners:`,
);

const partnerTable = (measured: Measured) =>
  markdownTable(
    ['with this many partners', 'limit', ...partnerNumbers.map(whole)],
    partnerRows(measured).map(({ name, limit, at }) => [
      name,
      limit === undefined ? '' : whole(limit),
      ...partnerNumbers
        .map(at)
        .map((value) => emphasized(whole(value), limit !== undefined && value > limit)),
    ]),
    true,
  );

const partnersBeyond = paragraph(
  `With more than 300 partners with a webhook, raise the quota of rules; with more than 3,000, the quotas of destinations and connections. The operator's tool names the quota. Beyond the highest quotas, partners need several buses, which the code does not support. One grant can have about 15,000 grantees, because they are in one item; events for all partners become expensive before that.`,
);

const sources = paragraph(
  `Units of a save and an event are in \`test/bench/cost/measured.json\`, AWS's limits and their sources in \`test/bench/capacity/aws.ts\`, assumed times in \`test/bench/capacity/parts.ts\`. The limit of ${modelled.groupCarries} writes a second in a group is the rate at which 90 % succeed at the first attempt, with ${inFlightMs.from} to ${inFlightMs.to} ms for a write, and ten franchises with ten locations each; a group with one location carries 5. [test/bench/README.md](../test/bench/README.md) has the simulation of the workers.`,
);

const share = (part: number) => {
  const percent = part < 0.01 ? '< 1 %' : `${whole(part * 100)} %`;
  return emphasized(percent, part > 1);
};

const emphasized = (text: string, is: boolean) => (is ? `**${text}**` : text);

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
