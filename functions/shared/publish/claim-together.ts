import { chunksOf } from '../runtime/chunks.ts';
import { type ClaimOutcome, mostClaimsTogether } from '../store/debounce/debounce-row-store.ts';
import { type ClaimedEvent, type EventToClaim, type PreparedClaim, prepareClaim } from './claim.ts';
import { eachApart, type Invocation } from './invocation.ts';

/** Claims several events in as few requests as they fit into; answers those that were claimed (EV-25). */
export const claimAll = async (
  toClaim: readonly EventToClaim[],
  invocation: Invocation,
): Promise<ClaimedEvent[]> => {
  const prepared = await eachApart(toClaim, invocation, async (one) => prepareClaim(one, invocation.deps));
  const { first = [], second = [] } = byTransaction(prepared);
  const requests = chunksOf(first, mostClaimsTogether).map((some) => claimTogether(some, invocation));
  return [...(await Promise.all(requests)).flat(), ...(await claimEach(second, invocation))];
};

/** A request takes an item once, and two of them conflict over it: a transaction's second row comes after its first. */
const byTransaction = (prepared: readonly PreparedClaim[]) => {
  const uuids = new Set<string>();
  return Object.groupBy(prepared, ({ claim: { key } }) => {
    const place = uuids.has(key.uuid) ? 'second' : 'first';
    uuids.add(key.uuid);
    return place;
  });
};

/**
 * One request makes all claims, or none. Then those that were not at fault are claimed together once more, and what is left
 * after that each by itself. Where the request itself fails, each is claimed by itself, too, for one claim may be why (EV-17):
 * if the request was carried out and only its answer lost, those claims find another revision, and the end of their leases
 * brings the rows back (I7). A lost claim is not tried again here: its row stays due, or is another flusher's.
 */
const claimTogether = async (
  prepared: readonly PreparedClaim[],
  invocation: Invocation,
  isRepeated = false,
): Promise<ClaimedEvent[]> => {
  const some = inTime(prepared, invocation);
  if (some.length < 2) return claimEach(some, invocation);
  const claims = some.map(({ claim }) => claim);
  const outcomes = await invocation.apart(() => invocation.deps.debounceRows.claimTogether(claims));
  if (!outcomes) return claimEach(some, invocation);
  const those = (outcome: ClaimOutcome) => some.filter((_, index) => outcomes[index] === outcome);
  const notAtFault = those('not-at-fault');
  // Where none is at fault by itself, a second request together would come to the same.
  const isLast = isRepeated || notAtFault.length === some.length;
  const rest = await Promise.all([
    isLast ? claimEach(notAtFault, invocation) : claimTogether(notAtFault, invocation, true),
    claimEach(those('failed'), invocation),
  ]);
  return [...those('claimed').map(({ claimed }) => claimed), ...rest.flat()];
};

/** A claim is lost where another flusher was faster, or the transaction has changed. */
const claimEach = (prepared: readonly PreparedClaim[], invocation: Invocation): Promise<ClaimedEvent[]> =>
  eachApart(inTime(prepared, invocation), invocation, async ({ claim, claimed }) =>
    (await invocation.deps.debounceRows.claim(claim)) ? claimed : undefined,
  );

/** What could not be sent any more is not claimed: it is the next invocation's. */
const inTime = (prepared: readonly PreparedClaim[], invocation: Invocation) =>
  prepared.filter(({ claimed }) => invocation.maySend(claimed));
