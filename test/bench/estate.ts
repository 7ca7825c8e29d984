import type { Grant } from '../../functions/shared/domain/grant.ts';
import type { StoredTransaction } from '../../functions/shared/domain/transaction.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/transactions.ts';

/** The top group owns a third of everything in 600 locations; five others share the rest. */
const franchisesOfTop = 10;
const locationsOfFranchise = 60;

const hash = (text: string) => text.padEnd(40, '0');

const topOwner = (franchise: number, location: number) => ({
  group: hash('group-0'),
  franchise: hash(`franchise-0-${franchise}`),
  location: hash(`location-0-${franchise}-${location}`),
});

const randomOwner = (random: Random) => {
  if (random.isTrue(1 / 3))
    return topOwner(random.integer(0, franchisesOfTop - 1), random.integer(0, locationsOfFranchise - 1));
  const group = random.integer(1, 5);
  const franchise = random.integer(0, 4);
  return {
    group: hash(`group-${group}`),
    franchise: hash(`franchise-${group}-${franchise}`),
    location: hash(`location-${group}-${franchise}-${random.integer(0, 9)}`),
  };
};

/** Records under 1 kB with two identifiers and a session; three in ten are complete. */
export const syntheticTransactions = (size: number): StoredTransaction[] => {
  const random = randomFrom(7);
  return Array.from({ length: size }, (_, index) => ({
    ...aNewTransaction(
      {
        uuid: uuidOf(index),
        status: random.isTrue(0.3) ? 1 : 0,
        ndMeta: anOwner(randomOwner(random)),
        vehicle: vehicleOf(index),
      },
      { session: `session-${index}` },
    ),
    position: index + 1,
  }));
};

export const vehicleOf = (index: number) => ({
  identifiers: { ndstockid: `stock-${index}`, salesmasterid: `sales-${index}` },
});

export const benchOwner = (location: number, group = 'group-0') => ({
  ...anOwner(topOwner(0, location)),
  group: hash(group),
});

/** One grant: the whole top group. More: so many of its locations. */
export const grantsOf = (count: number): Grant[] =>
  count === 1
    ? [{ group: hash('group-0') }]
    : Array.from({ length: count }, (_, index) =>
        topOwner(index % franchisesOfTop, Math.floor(index / franchisesOfTop)),
      );
