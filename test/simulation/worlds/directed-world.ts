import type { Facts, Finding } from '../checks/facts.ts';
import type { WorldPlan } from './world-plan.ts';

/** A world for one statement that random worlds do not come to, and what must hold of it beside everything else. */
export type DirectedWorld = { title: string; plan: WorldPlan; alsoHolds?: (facts: Facts) => Finding[] };
