import { addressesIn, addressesWithin } from './email-address.ts';
import { isJsonObject, type JsonValue, type StoredTransaction, untouched } from './transaction.ts';

/** What names a customer in a transaction, an event's `detail` or an answer: their `guestEmail`, and `customer`. */
type NamesCustomer = { guestEmail?: JsonValue; customer?: JsonValue };

/** Every address that a record gives its customer, at any depth of `customer`: it is open (S-82). */
export const emailsOf = ({ guestEmail = null, customer = null }: NamesCustomer): string[] => [
  ...new Set([guestEmail, customer].flatMap((value) => [...textsIn(value)].flatMap(addressesIn))),
];

/** Whether a record says an address anywhere: as that of its customer, or in a note, an extra, a link (S-82). */
export const mentions = (record: JsonValue, email: string): boolean =>
  [...textsIn(record)].some((text) => addressesWithin(text).includes(email));

/** Every text in a record, names of members too. */
function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (isJsonObject(value))
    for (const [name, one] of Object.entries(value)) {
      yield name;
      yield* textsIn(one);
    }
}

/**
 * What is left of a transaction whose customer was erased: a deleted one, which says whose it was, where it stood and how it
 * ended, so that partners are notified and no id, place or version is given away twice. One that was deleted before has been sent
 * as such: its version rises alone, so that whoever read it before cannot put it back.
 */
export const erasedState = (stored: StoredTransaction, nowMs: number): StoredTransaction => {
  const { uuid, status, editable, ndMeta, isDeleted } = stored.transaction;
  const version = stored.version + 1;
  const own = isDeleted === 1 ? stored.elementVersions.own : version;
  return {
    ...stored,
    transaction: { uuid, ...untouched(), status, editable, isDeleted: 1, ...(ndMeta && { ndMeta }) },
    version,
    elementVersions: { ...stored.elementVersions, own },
    updatedAtMs: Math.max(stored.updatedAtMs + 1, nowMs),
    erasedAtMs: nowMs,
  };
};

/** What every message and tombstone may say: nothing of it is about a person. */
const impersonal = ['uuid', 'status', 'isDeleted', 'ndMeta'];

/** Whether a copy of a transaction says more than that there was one. */
export const hasContent = (copy: Record<string, JsonValue>): boolean =>
  Object.keys(copy).some((name) => !impersonal.includes(name));
