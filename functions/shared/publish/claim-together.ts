import { chunksOf } from '../runtime/chunks.ts';
import { type ClaimOutcome, mostClaimsTogether } from '../store/debounce/debounce-row-store.ts';
import { type ClaimedEvent, type EventToClaim, type PreparedClaim, prepareClaim } from './claim.ts';
import { eachApart, type Invocation } from './invocation.ts';

/** Claims several events in as few requests as possible. Returns the claimed ones (EV-25). */
export const claimAll = async (
  toClaim: readonly EventToClaim[],
  invocation: Invocation,
): Promise<ClaimedEvent[]> => {
  const prepared = await eachApart(toClaim, invocation, async (one) => prepareClaim(one, invocation.deps));
  const { first = [], second = [] } = byTransaction(prepared);
  const requests = chunksOf(first, mostClaimsTogether).map((some) => claimTogether(some, invocation));
  return [...(await Promise.all(requests)).flat(), ...(await claimEach(second, invocation))];
};

/** A TransactWriteItems takes an item only once, so a transaction's second row is claimed after its first. */
const byTransaction = (prepared: readonly PreparedClaim[]) => {
  const uuids = new Set<string>();
  return Object.groupBy(prepared, ({ claim: { key } }) => {
    const place = uuids.has(key.uuid) ? 'second' : 'first';
    uuids.add(key.uuid);
    return place;
  });
};

/**
 * One request makes all claims, or none. After a refusal, the claims that were not at fault are made together once more; the
 * rest is made one by one. After any other failure each claim is made alone, because one of them may be the cause (EV-17).
 * If only the answer was lost, those claims find another revision, and the rows return after their leases (I7). A lost claim
 * is not repeated here.
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
  // If no claim is at fault alone, a second common request would fail in the same way.
  const isLast = isRepeated || notAtFault.length === some.length;
  const rest = await Promise.all([
    isLast ? claimEach(notAtFault, invocation) : claimTogether(notAtFault, invocation, true),
    claimEach(those('failed'), invocation),
  ]);
  return [...those('claimed').map(({ claimed }) => claimed), ...rest.flat()];
};

/** A claim is lost if another flusher was faster, or the transaction has changed. */
const claimEach = (prepared: readonly PreparedClaim[], invocation: Invocation): Promise<ClaimedEvent[]> =>
  eachApart(inTime(prepared, invocation), invocation, async ({ claim, claimed }) =>
    (await invocation.deps.debounceRows.claim(claim)) ? claimed : undefined,
  );

/** Events that cannot be sent in time are left to the next invocation. */
const inTime = (prepared: readonly PreparedClaim[], invocation: Invocation) =>
  prepared.filter(({ claimed }) => invocation.maySend(claimed));
