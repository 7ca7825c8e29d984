import type { KeyKind, KeyRing } from '../../domain/keys/key-ring.ts';
import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** The ring as it is known here and now. */
export type ReadRing = () => Promise<KeyRing>;

/** Rings lie in the Partners table, so that verifying needs no right beyond the partners (docs/decisions/0005). */
export const ringKey = (kind: KeyKind) => ({ pk: 'KEYS', sk: kind.toUpperCase() });

/** A key that is removed stops working everywhere this soon, and one request more. */
export const ringKeptMs = 20_000;

/** One ring, read when first needed and then kept for a while, whatever key ids tokens name (TH-12). */
export const createRingReader = (
  access: TableAccess<'partnersTable'> & { clock: Clock },
  kind: KeyKind,
): ReadRing => cached(() => publishedRing(access, kind), { forMs: ringKeptMs, clock: access.clock });

/** The ring as it is now, for the rare question that must not be answered by an older one. */
export const createPresentRingReader =
  (access: TableAccess<'partnersTable'>, kind: KeyKind): ReadRing =>
  () =>
    publishedRing(access, kind);

/** Throws when none was ever published: then nothing can be judged. */
const publishedRing = async (access: TableAccess<'partnersTable'>, kind: KeyKind): Promise<KeyRing> => {
  const ring = await readRing(access, kind);
  if (!ring) throw new Error(`No ring of ${kind} keys is published`);
  return ring;
};

/** The ring of a kind, strongly consistent; undefined before the first one. */
export const readRing = async (
  { documents, partnersTable }: TableAccess<'partnersTable'>,
  kind: KeyKind,
): Promise<KeyRing | undefined> => {
  const { Item } = await documents.send(consistentGet(partnersTable, ringKey(kind)));
  if (!Item) return undefined;
  const { pk, sk, ...ring } = Item;
  return ring as KeyRing;
};
