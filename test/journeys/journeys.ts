import { buyerJourney } from './buyer.ts';
import { checkoutJourney } from './checkout.ts';
import { gatewayJourney } from './gateway.ts';
import { listJourney } from './lists.ts';
import { operatorJourney } from './operator.ts';
import { readJourney } from './reads.ts';
import { refusalJourney } from './refusals.ts';
import { selfServiceJourney } from './self-service.ts';
import { tokenJourney } from './tokens.ts';
import { untouchedJourney } from './untouched.ts';
import type { Journey, OwnStage } from './world.ts';

/** They change nothing, so that any partner may run them anywhere. */
export const readingJourneys: readonly Journey[] = [
  gatewayJourney,
  tokenJourney,
  refusalJourney,
  listJourney,
  untouchedJourney,
];

/** They change only transactions of the partner's group. */
export const writingJourneys = (): Journey[] => [buyerJourney, checkoutJourney()];

/** All journeys over HTTP, in the order in which they rest on each other; `aftermathJourney` comes last of all. */
export const httpJourneys = (): Journey<OwnStage>[] => [
  operatorJourney,
  ...readingJourneys,
  selfServiceJourney,
  readJourney,
  ...writingJourneys(),
];
