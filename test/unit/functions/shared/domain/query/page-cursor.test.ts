import { expect, test } from '@jest/globals';
import {
  type CursorBinding,
  readCursor,
  writeCursor,
} from '../../../../../../functions/shared/domain/query/page-cursor.ts';

const ofSession = (session: string): CursorBinding => ({
  scope: { kind: 'session', session },
  filter: { status: 0 },
  page: 2,
  perPage: 10,
});
const cursor = writeCursor('uuid-1', ofSession('s1'));

test('LINK-5 a cursor fits the session it was written for and no other', () => {
  expect(readCursor(cursor, ofSession('s1'))).toBe('uuid-1');
  expect(readCursor(cursor, ofSession('s2'))).toBeUndefined();
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
  expect(readCursor(writeCursor('uuid-1', full), other)).toBeUndefined();
});

test('LINK-5 identifiers of two kinds are not mistaken for each other', () => {
  const { filter: _, ...bare } = full;
  const stock = { ...bare, filter: { ndstockid: 'x' } };
  const sales = { ...bare, filter: { salesmasterid: 'x' } };

  expect(readCursor(writeCursor('uuid-1', stock), sales)).toBeUndefined();
});

test('LINK-5 the order of grants means nothing to a cursor', () => {
  expect(readCursor(writeCursor('uuid-1', full), withGrants({ group: 'g2' }, fullGrant))).toBe('uuid-1');
});

test.each(['', '.', 'uuid-1', 'dXVpZC0x', 'dXVpZC0x.', `${cursor}x`, cursor.slice(0, -1), `x${cursor}`])(
  'LINK-5 the text %j is no cursor',
  (text) => {
    expect(readCursor(text, ofSession('s1'))).toBeUndefined();
  },
);
