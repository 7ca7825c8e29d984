import type { Check } from '../check.ts';
import { browserChecks } from './browsers.ts';
import { gatewayChecks } from './gateway.ts';
import { readChecks } from './reads.ts';
import { tokenChecks } from './tokens.ts';
import { transportChecks } from './transport.ts';
import { writeChecks } from './writes.ts';

/** All that only a deployed stage can show, in the order in which a person mends what they find (D-42). */
export const allChecks: readonly Check[] = [
  ...transportChecks,
  ...gatewayChecks,
  ...tokenChecks,
  ...browserChecks,
  ...readChecks,
  ...writeChecks,
];
