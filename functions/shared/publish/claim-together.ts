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
  return (await Promise.all([...together, claimEach(again, run)])).flat();
};

/** One request takes a transaction once: of its cursor and its marker the second is claimed by itself. */
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
 * All together; where one of them could not be claimed, the others once more, and then each by itself. After a fault nobody
 * knows whether they are claimed: their leases, or the next look, bring them back.
 */
const claimSome = async (
  some: readonly PreparedClaim[],
  run: Run,
  tries: number,
): Promise<ClaimedEvent[]> => {
  if (some.length < 2 || tries === 0) return claimEach(some, run);
  const outcomes = await run.apart(() => run.deps.cursors.claimTogether(some.map(({ claim }) => claim)));
  if (!outcomes) return [];
  const those = (outcome: ClaimOutcome) => some.filter((_, index) => outcomes[index] === outcome);
  const open = those('open');
  // Where none is at fault by itself, a second request together would come to the same.
  const triesLeft = open.length < some.length ? tries - 1 : 0;
  const rest = await Promise.all([claimSome(open, run, triesLeft), claimEach(those('alone'), run)]);
  return [...those('claimed').map(({ claimed }) => claimed), ...rest.flat()];
};

const claimEach = (some: readonly PreparedClaim[], run: Run): Promise<ClaimedEvent[]> =>
  eachApart(some, run, (one) => makeClaim(one, run.deps));
