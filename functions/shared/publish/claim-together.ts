import { chunksOf } from '../runtime/chunks.ts';
import { type ClaimOutcome, mostClaimsTogether } from '../store/debounce/cursor-store.ts';
import {
  type ClaimedEvent,
  type EventToClaim,
  makeClaim,
  type PreparedClaim,
  prepareClaim,
} from './claim.ts';
import { eachApart, type Run } from './run.ts';

/**
 * Claims several events in as few requests as they fit into; answers those that were claimed. What is wrong with one claim
 * stops no other.
 */
export const claimAll = async (toClaim: readonly EventToClaim[], run: Run): Promise<ClaimedEvent[]> => {
  const prepared = await eachApart(toClaim, run, async (one) => prepareClaim(one, run.deps));
  const [first, again] = byTransaction(prepared);
  const together = chunksOf(first, mostClaimsTogether).map((some) => claimSome(some, run, 2));
  return [...(await Promise.all(together)).flat(), ...(await claimSome(again, run, 0))];
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
 * their leases bring them back. What could not be sent in time is left to the next run.
 */
const claimSome = async (all: readonly PreparedClaim[], run: Run, tries: number): Promise<ClaimedEvent[]> => {
  const some = all.filter(({ claimed }) => run.maySend(claimed));
  if (some.length < 2 || tries === 0) return eachApart(some, run, (one) => makeClaim(one, run.deps));
  const outcomes = await run.apart(() => run.deps.cursors.claimTogether(some.map(({ claim }) => claim)));
  if (!outcomes) return claimSome(some, run, 0);
  const those = (outcome: ClaimOutcome) => some.filter((_, index) => outcomes[index] === outcome);
  const open = those('open');
  // Where none is at fault by itself, a second request together would come to the same.
  const triesLeft = open.length < some.length ? tries - 1 : 0;
  const rest = await Promise.all([claimSome(open, run, triesLeft), claimSome(those('alone'), run, 0)]);
  return [...those('claimed').map(({ claimed }) => claimed), ...rest.flat()];
};
