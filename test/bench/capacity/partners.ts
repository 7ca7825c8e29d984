import type { Measured } from '../cost/measured.ts';
import { aws } from './aws.ts';

/** A quantity that grows with the number of partners, with its limit if it has one. */
export type PartnerRow = { name: string; limit?: number; at: (partners: number) => number };

/** A client id, and a byte for its place in the set. */
const granteeBytes = 26 + 1;
/** A read in a transaction costs twice a strongly consistent one of 4 kB. */
const readUnits = (bytes: number) => 2 * Math.ceil(bytes / 4_096);
/** What one poll inspects (`functions/keep-endpoints/turn.ts`). */
const inspected = { inRun: 200, everyMinutes: 10 };

/** Everything that grows with the number of partners. */
export const partnerRows = ({ event }: Measured): PartnerRow[] => [
  { name: 'rules of the bus', limit: aws.rules.limit, at: (partners) => partners },
  { name: 'API destinations', limit: aws.destinations.limit, at: (partners) => partners },
  { name: 'connections', limit: aws.connections.limit, at: (partners) => partners },
  {
    name: 'bytes of the item of a grant that all partners hold',
    limit: aws.itemBytes.limit,
    at: (partners) => partners * granteeBytes,
  },
  {
    name: 'read units of that item, for 100 events at most',
    limit: aws.partitionReadsASecond.limit,
    at: (partners) => readUnits(partners * granteeBytes),
  },
  { name: 'write units of an event for one partner', at: () => event.first.write },
  {
    name: 'write units of an event for all partners',
    at: (partners) => event.first.write + (partners - 1) * event.further.write,
  },
  {
    name: 'minutes until each endpoint is checked',
    at: (partners) => Math.ceil(partners / inspected.inRun) * inspected.everyMinutes,
  },
];
