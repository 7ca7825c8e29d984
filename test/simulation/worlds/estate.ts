import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import { anOwner } from '../../support/builders/transactions.ts';

/** Two groups of three locations each; in each group one franchise has two of them. */
export const owners: NdMeta[] = ['G1', 'G2'].flatMap((group) =>
  [
    ['F1', 'north'],
    ['F1', 'south'],
    ['F2', 'east'],
  ].map(([franchise = '', location = '']) =>
    anOwner({
      group,
      franchise: `${group}-${franchise}`,
      location: `${group}-${location}`,
      branch: location,
    }),
  ),
);

/** Grants of every shape (GRANT-1). */
export const grants: Grant[] = [
  { group: 'G1' },
  { group: 'G2' },
  { group: 'G1', franchise: 'G1-F1' },
  { group: 'G2', location: 'G2-east' },
  { group: 'G1', franchise: 'G1-F1', location: 'G1-south' },
  { group: 'G1', location: 'G1-north' },
];

/** Of another group: no simulated partner is ever granted it. */
export const hiddenOwner: NdMeta = anOwner({ group: 'G9', franchise: 'G9-F1', location: 'G9-hidden' });
