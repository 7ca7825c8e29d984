import { aftermathJourney } from './aftermath.ts';
import { buyerJourney } from './buyer.ts';
import { checkoutJourney } from './checkout.ts';
import { operatorJourney } from './operator.ts';
import { readJourney } from './reads.ts';
import { refusalJourney } from './refusals.ts';
import { selfServiceJourney } from './self-service.ts';
import { tokenJourney } from './tokens.ts';
import type { Journey } from './world.ts';

/** All journeys over HTTP, in the order in which they rest on each other; `aftermathJourney` comes last of all. */
export const httpJourneys = (): Journey[] => [
  operatorJourney,
  tokenJourney,
  selfServiceJourney,
  readJourney,
  refusalJourney,
  buyerJourney,
  checkoutJourney(),
];

export { aftermathJourney };
