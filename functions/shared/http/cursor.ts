import { createHash } from 'node:crypto';

/**
 * A place in a list, for `after`, with a check sum over what the list is of. The sum finds a cursor of another list or
 * query; it proves nothing, and nothing in it is secret, so the place is checked like any other input.
 */
export const writeCursor = (place: string, about: readonly unknown[]): string =>
  Buffer.concat([Buffer.from(place), sumOf(place, about)]).toString('base64url');

/** The place. Undefined for any text but the one spelling of a cursor of this list. */
export const readCursor = (cursor: string, about: readonly unknown[]): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url');
  const place = bytes.subarray(0, -sumLength).toString();
  return bytes.length > sumLength && writeCursor(place, about) === cursor ? place : undefined;
};

const sumLength = 8;

const sumOf = (place: string, about: readonly unknown[]) =>
  createHash('sha256')
    .update(JSON.stringify([...about, place]))
    .digest()
    .subarray(0, sumLength);
