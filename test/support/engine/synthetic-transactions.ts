import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Random, randomFrom } from '../builders/random.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';

/** The top group owns a third of everything in 600 locations; five others of 50 share the rest. */
const franchisesOfTop = 10;
const locationsOfFranchise = 60;

const hash = (text: string) => text.padEnd(40, '0');

const ownerIn = (group: number, franchise: number, location: number) => ({
  group: hash(`group-${group}`),
  franchise: hash(`franchise-${group}-${franchise}`),
  location: hash(`location-${group}-${franchise}-${location}`),
});

const randomOwner = (random: Random) =>
  random.isTrue(1 / 3)
    ? ownerIn(0, random.integer(0, franchisesOfTop - 1), random.integer(0, locationsOfFranchise - 1))
    : ownerIn(random.integer(1, 5), random.integer(0, 4), random.integer(0, 9));

/** Records under 1 kB with two identifiers and a session; three in ten are complete. */
export function* syntheticTransactions(size: number): Generator<StoredTransaction> {
  const random = randomFrom(7);
  for (let index = 0; index < size; index += 1) {
    const transaction = {
      uuid: uuidOf(index),
      status: random.isTrue(0.3) ? (1 as const) : (0 as const),
      ndMeta: anOwner(randomOwner(random)),
      vehicle: { identifiers: { ndstockid: `stock-${index}`, salesmasterid: `sales-${index}` } },
    };
    yield { ...aNewTransaction(transaction, { session: `session-${index}` }), sequenceNumber: index + 1 };
  }
}

/** One grant: the whole top group. Ten: locations of a group that has 50. More: locations of the top group. */
export const grantsOf = (count: number): Grant[] => {
  if (count === 1) return [{ group: hash('group-0') }];
  const numbers = Array.from({ length: count }, (_, index) => index);
  if (count <= 10) return numbers.map((index) => ownerIn(1, index % 5, Math.floor(index / 5)));
  return numbers.map((index) => ownerIn(0, index % franchisesOfTop, Math.floor(index / franchisesOfTop)));
};
