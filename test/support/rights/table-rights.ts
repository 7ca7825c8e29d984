import { type Asked, askedOf } from './asked.ts';
import type { RightsOf } from './recorder.ts';

/** The tables of which the operator's role and the roles of functions use partitions. */
const ofOperator = ['Partners', 'Requests', 'Audit'];
const ofFunctions = ['Partners', 'Requests', 'Listing', 'Debounce', 'Audit'];

/** The rights that a request of the operator's tool needs at the tables. */
export const operatorTableRights: RightsOf = (target, body) =>
  askedOf(target, body).flatMap(rightsIn(ofOperator));

/** Likewise of a function. */
export const tableRights: RightsOf = (target, body) => askedOf(target, body).flatMap(rightsAsked);

/** The rights of a function that a part of its request needs: `Partners/PARTNER#* dynamodb:GetItem`. */
export const rightsAsked = (asked: Asked): string[] => rightsIn(ofFunctions)(asked);

const rightsIn =
  (partitioned: readonly string[]) =>
  ({ action, place, context }: Asked): string[] => {
    if (action === 'Scan' || !partitioned.includes(place)) return [`${place} dynamodb:${action}`];
    const partitions = (context['dynamodb:LeadingKeys'] ?? []).map(partitionName);
    return [...new Set(partitions)].map((partition) => `${place}/${partition} dynamodb:${action}`);
  };

/** It stands among those of partners, and has one item. */
const keyOfSessionCursors = 'SEAL#V1';

/** `PARTNER#*` for the partition of any partner; what has no `#` is a partition of its own. */
const partitionName = (pk: string) =>
  pk === keyOfSessionCursors || !pk.includes('#') ? pk : `${pk.split('#')[0]}#*`;
