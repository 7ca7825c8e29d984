import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import type { PartnerChange } from '../../../../functions/shared/domain/partner.ts';
import { grantKey } from '../../../../functions/shared/store/partners/keys.ts';

/** What a change of grants means for the index of grantees (GRANT-4). */
export type GrantChange = { added: Grant[]; removed: Grant[] };

export const grantChange = (before: readonly Grant[], after: readonly Grant[]): GrantChange => ({
  added: without(after, before),
  removed: without(before, after),
});

/** Each grant once, whatever else a record says twice. */
const without = (grants: readonly Grant[], others: readonly Grant[]): Grant[] => {
  const left = new Map(grants.map((grant) => [grantKey(grant).sk, grant]));
  for (const other of others) left.delete(grantKey(other).sk);
  return [...left.values()];
};

/** TransactWriteItems takes 100 parts: so many rows of the index, beside the partner's own items. */
const mostRowsInStep = 90;

/**
 * A change as steps that each fit into one atomic write, so that record and index agree after each of them, whoever dies
 * where. What is added comes first, then everything else, so that no grant is missed that a wider one takes the place of.
 */
export const stepsOf = ({ before, after }: PartnerChange): PartnerChange[] => {
  const { added, removed } = grantChange(before.grants, after.grants);
  if (added.length + removed.length <= mostRowsInStep) return [{ before, after }];
  const growing = endsOf(added).map((end) => ({
    ...before,
    grants: [...before.grants, ...added.slice(0, end)],
  }));
  const shrinking = endsOf(removed).map((end) => ({
    ...after,
    grants: [...after.grants, ...removed.slice(end)],
  }));
  const states = [before, ...growing, ...shrinking];
  const pairs = states.slice(1).map((state, index) => ({ before: states[index] ?? before, after: state }));
  const last = states.at(-1) ?? before;
  return removed.length > 0 ? pairs : [...pairs, { before: last, after }];
};

/** How many of them are done at the end of each step. */
const endsOf = (grants: readonly Grant[]): number[] =>
  Array.from(
    { length: Math.ceil(grants.length / mostRowsInStep) },
    (_, index) => (index + 1) * mostRowsInStep,
  );
