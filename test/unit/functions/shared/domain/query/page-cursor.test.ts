import { expect, test } from '@jest/globals';
import {
  type CursorBinding,
  cursorFacts,
} from '../../../../../../functions/shared/domain/query/page-cursor.ts';

const ofSession = (session: string): CursorBinding => ({
  scope: { kind: 'session', session },
  filter: { status: 0 },
  page: 2,
  perPage: 10,
});
/** What a cursor is sealed with. */
const textOf = (binding: CursorBinding) => JSON.stringify(cursorFacts(binding));

test('LINK-5 a cursor fits its session and no other', () => {
  expect(textOf(ofSession('s1'))).toBe('["list","s1",[null,0,null,null],2,10]');
  expect(textOf(ofSession('s2'))).not.toBe(textOf(ofSession('s1')));
});

const full: CursorBinding = {
  scope: {
    kind: 'grants',
    grants: [{ group: 'g1', franchise: 'f1', location: 'l1' }, { group: 'g2' }],
  },
  filter: { uuid: 'uuid-1', status: 0, ndstockid: 'n1', salesmasterid: 's1' },
  page: 2,
  perPage: 10,
};
const fullGrant = { group: 'g1', franchise: 'f1', location: 'l1' };
const withGrants = (...grants: { group: string; franchise?: string; location?: string }[]) => ({
  ...full,
  scope: { kind: 'grants' as const, grants },
});
const withFilter = (filter: CursorBinding['filter']) => ({
  ...full,
  filter: { ...full.filter, ...filter },
});
const { status: _, ...withoutStatus } = full.filter;

test.each<[string, CursorBinding]>([
  ['another page', { ...full, page: 3 }],
  ['another size', { ...full, perPage: 11 }],
  ['another uuid', withFilter({ uuid: 'uuid-2' })],
  ['another status', withFilter({ status: 1 })],
  ['no status', { ...full, filter: withoutStatus }],
  ['another ndstockid', withFilter({ ndstockid: 'n2' })],
  ['another salesmasterid', withFilter({ salesmasterid: 's2' })],
  ['another group', withGrants({ ...fullGrant, group: 'g3' }, { group: 'g2' })],
  ['another franchise', withGrants({ ...fullGrant, franchise: 'f2' }, { group: 'g2' })],
  ['another location', withGrants({ ...fullGrant, location: 'l2' }, { group: 'g2' })],
  ['a grant more', withGrants(fullGrant, { group: 'g2' }, { group: 'g3' })],
  ['a grant less', withGrants(fullGrant)],
  ['a franchise for a location', withGrants({ group: 'g1', franchise: 'f1' }, { group: 'g2' })],
  ['a session', { ...full, scope: { kind: 'session', session: 's1' } }],
])('LINK-5 a cursor does not fit a list with %s', (_, other) => {
  expect(textOf(other)).not.toBe(textOf(full));
});

test('LINK-5 identifiers of two kinds are never confused', () => {
  const { filter: _, ...bare } = full;
  const stock = { ...bare, filter: { ndstockid: 'x' } };
  const sales = { ...bare, filter: { salesmasterid: 'x' } };

  expect(textOf(sales)).not.toBe(textOf(stock));
});

test('LINK-5 the order of grants does not change a cursor', () => {
  expect(textOf(withGrants({ group: 'g2' }, fullGrant))).toBe(textOf(full));
});
