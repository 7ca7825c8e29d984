import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import type { PartnerChange } from '../../../../functions/shared/domain/partner.ts';
import { grantKey } from '../../../../functions/shared/store/partners/keys.ts';

/** The grants to add to the index of grantees, and to remove from it (GRANT-4). */
export type GrantChange = { added: Grant[]; removed: Grant[] };

export const grantChange = (before: readonly Grant[], after: readonly Grant[]): GrantChange => ({
  added: without(after, before),
  removed: without(before, after),
});

/** The grants that are not in `others`, each once although a record may name it twice. */
const without = (grants: readonly Grant[], others: readonly Grant[]): Grant[] => {
  const left = new Map(grants.map((grant) => [grantKey(grant).sk, grant]));
  for (const other of others) left.delete(grantKey(other).sk);
  return [...left.values()];
};

/** TransactWriteItems takes 100 parts: rows of the index, and the partner's own items. */
const mostRowsInStep = 90;

/**
 * Splits a change into steps that each fit into one atomic write, so that record and index agree after a crash. Added grants
 * come first: a partner whose grant is replaced by a wider one never lacks both.
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

/** The number of grants done at the end of each step. */
const endsOf = (grants: readonly Grant[]): number[] =>
  Array.from(
    { length: Math.ceil(grants.length / mostRowsInStep) },
    (_, index) => (index + 1) * mostRowsInStep,
  );
