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
