import { describe, expect, test } from '@jest/globals';
import { grantChange, stepsOf } from '../../../../../bin/operator/store/partners/grant-change.ts';
import type { Grant } from '../../../../../functions/shared/domain/ownership/grant.ts';
import { grantKey } from '../../../../../functions/shared/store/partners/keys.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';

const locations = (from: number, to: number): Grant[] =>
  Array.from({ length: to - from }, (_, index) => ({ group: 'G', location: `L${from + index}` }));
const partnerOf = (grants: Grant[]) => aPartner({ grants });
/** Of each step: how many grants it adds, takes away, and leaves. */
const sizesOf = (before: Grant[], after: Grant[]) =>
  stepsOf({ before: partnerOf(before), after: partnerOf(after) }).map((step) => {
    const { added, removed } = grantChange(step.before.grants, step.after.grants);
    return [added.length, removed.length, step.after.grants.length];
  });

describe('GRANT-4 a change of grants', () => {
  test('is the difference of two lists, each grant once', () => {
    const g = { group: 'g' };
    const narrow = { group: 'g', location: 'l' };

    expect(grantChange([g, g], [narrow, narrow])).toEqual({ added: [narrow], removed: [g] });
    expect(grantChange([g, narrow], [narrow, g])).toEqual({ added: [], removed: [] });
  });

  test('is one step if it fits into one atomic write', () => {
    expect(sizesOf([{ group: 'G' }], locations(0, 89))).toEqual([[89, 1, 89]]);
  });

  test('is several steps otherwise: all additions come before removals', () => {
    expect(sizesOf(locations(0, 100), locations(50, 250))).toEqual([
      [90, 0, 190],
      [60, 0, 250],
      [0, 50, 200],
    ]);
    expect(sizesOf([], locations(0, 181))).toEqual([
      [90, 0, 90],
      [90, 0, 180],
      [1, 0, 181],
      [0, 0, 181],
    ]);
    expect(sizesOf(locations(0, 181), [])).toEqual([
      [0, 90, 91],
      [0, 90, 1],
      [0, 1, 0],
    ]);
  });

  test('ends with exactly the wanted record, and changes nothing else of it before', () => {
    const before = partnerOf(locations(0, 100));
    const after = { ...partnerOf(locations(100, 200)), enabled: false };

    const steps = stepsOf({ before, after });

    expect(steps.map(({ after: { enabled } }) => enabled)).toEqual([true, true, false, false]);
    expect(steps.at(-1)?.after).toEqual(after);
    expect(steps.slice(1).map((step) => step.before)).toEqual(steps.slice(0, -1).map((step) => step.after));
    expect(steps.at(0)?.before).toBe(before);
  });
});

describe('GRANT-4 the key of a grant', () => {
  test('differs for different grants, whatever their names contain', () => {
    const grants: Grant[] = [
      { group: 'a' },
      { group: 'a', franchise: '' },
      { group: 'a', location: '' },
      { group: 'a', franchise: 'b' },
      { group: 'a', location: 'b' },
      { group: 'a","b' },
      { group: 'a', franchise: 'b","c' },
      { group: 'a', franchise: 'b', location: 'c' },
      { group: 'a', franchise: 'null' },
    ];

    expect(new Set(grants.map((grant) => grantKey(grant).sk)).size).toBe(9);
  });

  test('is the same for the same grant, and begins with its partition', () => {
    expect(grantKey({ group: 'G', location: 'L' })).toEqual({
      pk: 'GRANT#7',
      sk: '7f3de2e4b5cf5a4aad0a7b51ba0af818',
    });
  });

  test('is in one of sixteen partitions, none of which has most of them', () => {
    const parts = locations(0, 1_600).map((grant) => grantKey(grant).pk);
    const counts = [...new Set(parts)].map((part) => parts.filter((one) => one === part).length);

    expect(counts).toHaveLength(16);
    expect(Math.max(...counts)).toBeLessThan(200);
  });
});
