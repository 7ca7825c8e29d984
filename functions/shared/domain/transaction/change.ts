import type { OwnershipClaim } from '../ownership/ownership.ts';
import {
  type ElementName,
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OwnPropertyName,
  ownPropertyNames,
  type Transaction,
  untouched,
} from './transaction.ts';

/** PATCH merges into the present value. PUT and POST replace what they name (V1-6). */
export type ChangeKind = 'merge' | 'replace';

/** A change that the schema has accepted. An element that is `null` is to be removed. */
export type TransactionChange = {
  kind: ChangeKind;
  claim: OwnershipClaim;
  own: { [Name in WritableProperty]?: JsonValue };
  elements: { [Name in WritableElement]?: JsonValue };
};

export type WritableProperty = Exclude<OwnPropertyName, 'uuid' | 'status' | 'editable'>;
export type WritableElement = Exclude<ElementName, 'ndMeta' | 'payments'>;

/** The own properties that callers write (V1-6). The service sets the others. */
const writableProperties = ownPropertyNames.filter(
  (name): name is WritableProperty => name !== 'uuid' && name !== 'status' && name !== 'editable',
);

/**
 * The elements that callers write (V1-6). Ownership changes by `location`, and payments have an operation of their own.
 */
export const writableElements = elementNames.filter(
  (name): name is WritableElement => name !== 'ndMeta' && name !== 'payments',
);

/** The change that a body asks for. Members that are not listed are never read (S-13). */
export const toChange = (kind: ChangeKind, body: JsonObject): TransactionChange => ({
  kind,
  claim: pick(body, ['location', 'franchise']) as OwnershipClaim,
  own: pick(body, writableProperties),
  elements: pick(body, writableElements),
});

const pick = <Name extends string>(body: JsonObject, names: readonly Name[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(body, name) ? body[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { [One in Name]?: JsonValue };

/** The transaction after the change, in declaration order. Ownership is decided elsewhere. */
export const applyChange = (
  transaction: Transaction,
  { kind, own, elements }: TransactionChange,
): Transaction => {
  const merge = kind === 'merge' ? mergePatch : replaceBy;
  const properties = ownPropertyNames.map((name) => [name, propertyAfter(transaction, { kind, own }, name)]);
  const named: { readonly [name: string]: JsonValue | undefined } = elements;
  const present = elementNames.flatMap((name) => {
    const given = named[name];
    const value = given === undefined || given === null ? given : merge(transaction[name], given);
    const after = value === undefined ? transaction[name] : value;
    return after === undefined || after === null ? [] : [[name, after]];
  });
  return Object.fromEntries([...properties, ...present]) as Transaction;
};

const replaceBy = (_: JsonValue | undefined, value: JsonValue) => value;

/** Own properties have fixed shapes, so only an object can be merged. */
const propertyAfter = (
  transaction: Transaction,
  { kind, own }: Pick<TransactionChange, 'kind' | 'own'>,
  name: keyof Transaction,
) => {
  const given = (own as JsonObject)[name];
  if (given === undefined) return transaction[name];
  if (name !== 'priceAdjustment') return given;
  const base = kind === 'merge' ? transaction.priceAdjustment : untouched().priceAdjustment;
  return { ...base, ...(given as JsonObject) };
};

/** RFC 7396: members of objects are merged, `null` removes a member, and anything else, including a list, replaces. */
export const mergePatch = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // `fromEntries` makes a plain member even of a name such as `__proto__`.
  return Object.fromEntries(merged);
};

/** The values that a patch would leave where nothing was, without its removals, for validation. */
export const withoutRemovals = (patch: JsonValue): JsonValue => mergePatch(undefined, patch);
