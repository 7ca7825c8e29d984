import { aftermathJourney } from '../../journeys/aftermath.ts';
import { httpJourneys } from '../../journeys/journeys.ts';
import { proveJourney } from '../../journeys/prove.ts';
import type { World } from '../../journeys/world.ts';
import type { Emulator } from '../account.ts';
import type { Outputs } from '../cdk.ts';
import { deployedAt } from '../deployed.ts';
import { invokerOf } from '../functions.ts';
import { notCarried } from '../not-carried.ts';
import type { Report } from '../report.ts';
import { proveEvents } from './event-checks.ts';
import { eventPlaceOf } from './event-place.ts';

/** All journeys on deployed stacks: over HTTP, from a change to a webhook, and the logs at the end. */
export const proveJourneys = async (
  report: Report,
  { emulator, outputs }: { emulator: Emulator; outputs: Outputs },
): Promise<World> => {
  const world = deployedAt(emulator, outputs);
  for (const journey of httpJourneys()) await proveJourney(report, journey, world, notCarried);

  report.announce('From a change to a webhook');
  const place = eventPlaceOf(emulator, outputs);
  const invoke = await report.need('The functions can be called by hand', () => invokerOf(emulator));
  await proveEvents(report, { place, invoke, world });

  await proveJourney(report, aftermathJourney, world, notCarried);
  return world;
};
