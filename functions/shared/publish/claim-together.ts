import { chunksOf } from '../runtime/chunks.ts';
import { type ClaimOutcome, mostClaimsTogether } from '../store/debounce/debounce-row-store.ts';
import {
  type ClaimedEvent,
  type EventToClaim,
  makeClaim,
  type PreparedClaim,
  prepareClaim,
} from './claim.ts';
import { eachApart, type Invocation } from './invocation.ts';

/**
 * Claims several events in as few requests as they fit into; answers those that were claimed. What is wrong with one claim
 * stops no other.
 */
export const claimAll = async (
  toClaim: readonly EventToClaim[],
  invocation: Invocation,
): Promise<ClaimedEvent[]> => {
  const prepared = await eachApart(toClaim, invocation, async (one) => prepareClaim(one, invocation.deps));
  const [first, again] = byTransaction(prepared);
  const together = chunksOf(first, mostClaimsTogether).map((some) => claimSome(some, invocation, 2));
  return [...(await Promise.all(together)).flat(), ...(await claimSome(again, invocation, 0))];
};

/** A request takes an item once, and two of them conflict over it: a transaction's second row comes after its first. */
const byTransaction = (prepared: readonly PreparedClaim[]) => {
  const uuids = new Set<string>();
  const parts: [PreparedClaim[], PreparedClaim[]] = [[], []];
  for (const one of prepared) {
    const { uuid } = one.claim.key;
    parts[uuids.has(uuid) ? 1 : 0].push(one);
    uuids.add(uuid);
  }
  return parts;
};

/**
 * All together; where one of them could not be claimed, the others once more, and then each by itself. Each by itself after a
 * fault, too, for one of them may be what causes it (EV-17). Those that were claimed without an answer are lost then, and
 * their leases bring them back. What could not be sent in time is left to the next invocation.
 */
const claimSome = async (
  all: readonly PreparedClaim[],
  invocation: Invocation,
  tries: number,
): Promise<ClaimedEvent[]> => {
  const some = all.filter(({ claimed }) => invocation.maySend(claimed));
  if (some.length < 2 || tries === 0)
    return eachApart(some, invocation, (one) => makeClaim(one, invocation.deps));
  const outcomes = await invocation.apart(() =>
    invocation.deps.debounceRows.claimTogether(some.map(({ claim }) => claim)),
  );
  if (!outcomes) return claimSome(some, invocation, 0);
  const those = (outcome: ClaimOutcome) => some.filter((_, index) => outcomes[index] === outcome);
  const open = those('open');
  // Where none is at fault by itself, a second request together would come to the same.
  const triesLeft = open.length < some.length ? tries - 1 : 0;
  const rest = await Promise.all([
    claimSome(open, invocation, triesLeft),
    claimSome(those('alone'), invocation, 0),
  ]);
  return [...those('claimed').map(({ claimed }) => claimed), ...rest.flat()];
};
