import type { KeyKind, KeyRing } from '../../domain/keys/key-ring.ts';
import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** The ring as this process knows it. */
export type ReadRing = () => Promise<KeyRing>;

/** Rings are in the Partners table, so that verifying needs no further right (decision 5). */
export const ringKey = (kind: KeyKind) => ({ pk: 'KEYS', sk: kind.toUpperCase() });

/** How soon a removed key stops working everywhere, plus one request. */
export const ringKeptMs = 20_000;

/** One ring, read at its first use and then cached for a while, whatever key ids tokens name (TH-12). */
export const createRingReader = (
  access: TableAccess<'partnersTable'> & { clock: Clock },
  kind: KeyKind,
): ReadRing => cached(() => publishedRing(access, kind), { forMs: ringKeptMs, clock: access.clock });

/** Reads the ring again, for the rare question that an older one must not answer. */
export const createPresentRingReader =
  (access: TableAccess<'partnersTable'>, kind: KeyKind): ReadRing =>
  () =>
    publishedRing(access, kind);

/** Throws if none was ever published, because then no token can be verified. */
const publishedRing = async (access: TableAccess<'partnersTable'>, kind: KeyKind): Promise<KeyRing> => {
  const ring = await readRing(access, kind);
  if (!ring) throw new Error(`No ring of ${kind} keys is published`);
  return ring;
};

/** The ring of a kind, strongly consistent. Undefined before the first one. */
export const readRing = async (
  { documents, partnersTable }: TableAccess<'partnersTable'>,
  kind: KeyKind,
): Promise<KeyRing | undefined> => {
  const { Item } = await documents.send(consistentGet(partnersTable, ringKey(kind)));
  if (!Item) return undefined;
  const { pk, sk, ...ring } = Item;
  return ring as KeyRing;
};
