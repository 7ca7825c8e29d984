import type { OwnershipClaim } from '../ownership/ownership.ts';
import { mergePatch } from '../write/merge.ts';
import {
  type WritableElement,
  type WritableProperty,
  writableElements,
  writableProperties,
} from '../write/writable.ts';
import {
  elementNames,
  type JsonObject,
  type JsonValue,
  ownPropertyNames,
  type Transaction,
} from './transaction.ts';

/** PATCH merges into what is there, PUT and POST replace what they name (V1-6). */
export type ChangeKind = 'merge' | 'replace';

/** What a caller wants changed, judged by the schema; an element that is `null` is to be removed. */
export type Change = {
  kind: ChangeKind;
  claim: OwnershipClaim;
  own: { [Name in WritableProperty]?: JsonValue };
  elements: { [Name in WritableElement]?: JsonValue };
};

/** The change that a body of listed members asks for (V1-6, S-13): what is not listed is never looked at. */
export const toChange = (kind: ChangeKind, body: JsonObject): Change => ({
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

/** The transaction as the change leaves it, in declaration order; ownership is decided elsewhere (OWN-1, OWN-2). */
export const applyChange = (transaction: Transaction, { kind, own, elements }: Change): Transaction => {
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

/** Own properties have fixed shapes, so only the one that is an object has anything to merge. */
const propertyAfter = (
  transaction: Transaction,
  { kind, own }: Pick<Change, 'kind' | 'own'>,
  name: keyof Transaction,
) => {
  const given = (own as JsonObject)[name];
  if (given === undefined) return transaction[name];
  if (name !== 'priceAdjustment') return given;
  const base = kind === 'merge' ? transaction.priceAdjustment : { payment: false, priceRule: false };
  return { ...base, ...(given as JsonObject) };
};
