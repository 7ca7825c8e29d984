import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { DemoStorefront, PlannedPartner } from '../../../localstack/demo/load.ts';
import { hashOf } from './random.ts';

/** One place that sells one make: an owner of transactions. */
export type Place = { owner: NdMeta; make: string; shop: string };

const place = (groupName: string, make: string, branch: string): Place => ({
  owner: {
    group: hashOf(`group ${groupName}`),
    franchise: hashOf(`franchise ${groupName} ${make}`),
    branch,
    location: hashOf(`location ${branch}`),
    groupSoftware: hashOf(`software ${groupName}`),
  },
  make,
  shop: `https://www.${groupName.toLowerCase().replaceAll(' ', '-')}.example`,
});

/** Three groups; "Harbour Dundee" is one location with two franchises. */
export const places = [
  place('Northgate Motors', 'Volkswagen', 'Northgate Leeds'),
  place('Northgate Motors', 'Volkswagen', 'Northgate York'),
  place('Northgate Motors', 'Audi', 'Northgate Audi Leeds'),
  place('Harbour Cars', 'Ford', 'Harbour Dundee'),
  place('Harbour Cars', 'Kia', 'Harbour Dundee'),
  place('Harbour Cars', 'Ford', 'Harbour Perth'),
  place('Meridian Automotive', 'BMW', 'Meridian Bristol'),
  place('Meridian Automotive', 'MINI', 'Meridian Bath'),
] as const satisfies readonly Place[];

const [leeds, york, , dundee, , , bristol, bath] = places;

/** One partner sees a whole group; the other a franchise of one group and a single location of another. */
export const partners: PlannedPartner[] = [
  { name: 'northgate-crm', grants: [{ group: leeds.owner.group }] },
  {
    name: 'fleet-finance',
    grants: [
      { group: dundee.owner.group, franchise: dundee.owner.franchise },
      { group: bath.owner.group, location: bath.owner.location },
    ],
  },
];

export const storefronts: DemoStorefront[] = [
  { name: 'northgate-york', owner: york.owner, origins: ['http://localhost:3000'], default: true },
  { name: 'meridian-bristol', owner: bristol.owner, origins: ['http://localhost:5173'], default: false },
];
