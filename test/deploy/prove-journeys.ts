import { aftermathJourney, httpJourneys } from '../journeys/journeys.ts';
import type { Journey, World } from '../journeys/world.ts';
import type { Emulator } from './account.ts';
import type { Outputs } from './cdk.ts';
import { deployedAt } from './deployed.ts';
import { proveEvents } from './event-checks.ts';
import { type EventPlace, eventPlaceOf } from './event-place.ts';
import { type Invoke, invokerOf } from './functions.ts';
import type { Report } from './report.ts';

/** Proofs that one emulator can give and another cannot. */
export type MoreProofs = (
  report: Report,
  parts: { place: EventPlace; invoke: Invoke; world: World },
) => Promise<void>;

type Deployed = {
  emulator: Emulator;
  outputs: Outputs;
  proveMore?: MoreProofs;
  /** Steps that the emulator cannot pass, by their titles, and why. */
  notCarried?: Readonly<Record<string, string>>;
};

/** All journeys on deployed stacks: over HTTP, from a change to the bus, and what is in the logs in the end. */
export const proveJourneys = async (
  report: Report,
  { emulator, outputs, proveMore, notCarried = {} }: Deployed,
): Promise<void> => {
  const world = deployedAt(emulator, outputs);
  for (const journey of httpJourneys()) await proveJourney(report, journey, { world, notCarried });

  report.announce('From a change to the bus');
  const place = eventPlaceOf(emulator, outputs);
  const invoke = await report.need('The functions can be called by hand', () => invokerOf(emulator));
  await proveMore?.(report, { place, invoke, world });
  await proveEvents(report, { place, invoke, world });

  await proveJourney(report, aftermathJourney, { world, notCarried });
};

const proveJourney = async (
  report: Report,
  { name, steps }: Journey,
  { world, notCarried }: { world: World; notCarried: Readonly<Record<string, string>> },
) => {
  report.announce(name);
  for (const { title, check, isFoundation } of steps) {
    const attempt = () => check(world);
    const why = notCarried[title];
    if (isFoundation) await report.need(title, attempt);
    else if (why !== undefined) await report.miss(title, { why, attempt });
    else await report.prove(title, attempt);
  }
};
