import { addressesIn, addressesWithin } from './email-address.ts';
import { isJsonObject, type JsonValue, type StoredTransaction, untouched } from './transaction.ts';

/** The parts of a transaction, a `detail` or an answer that name the customer: `guestEmail` and `customer`. */
type NamesCustomer = { guestEmail?: JsonValue; customer?: JsonValue };

/** Every address that a record gives its customer, at any depth of `customer`, which is an open element (S-82). */
export const emailsOf = ({ guestEmail = null, customer = null }: NamesCustomer): string[] => [
  ...new Set([guestEmail, customer].flatMap((value) => [...textsIn(value)].flatMap(addressesIn))),
];

/** Whether a record contains an address anywhere: as its customer's, or in a note, an extra, a link (S-82). */
export const mentions = (record: JsonValue, email: string): boolean =>
  [...textsIn(record)].some((text) => addressesWithin(text).includes(email));

/** Every text in a record, including names of members. */
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
 * What stays of a transaction whose customer is erased: a deleted transaction with its owner, state and outcome, so
 * that partners are notified and no id or version is used twice. If it was deleted before, partners know that already:
 * only its version rises, so that whoever read it before cannot write it back. The session goes as well, because its id
 * would link all transactions of a user for ever (S-88).
 */
export const erasedState = ({ session, ...stored }: StoredTransaction, nowMs: number): StoredTransaction => {
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
    ...(session !== undefined && { isErasedCheckout: true }),
  };
};

/** The members that every message and erased transaction may have. None is about a person. */
const impersonal = ['uuid', 'status', 'isDeleted', 'ndMeta'];

/** Whether a copy of a transaction has more than these members. */
export const hasContent = (copy: Record<string, JsonValue>): boolean =>
  Object.keys(copy).some((name) => !impersonal.includes(name));
