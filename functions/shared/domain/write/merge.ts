import type { JsonObject, JsonValue } from '../transaction/transaction.ts';

/** RFC 7396: members of objects are merged, `null` removes a member, and anything else (a list too) replaces what was there. */
export const mergePatch = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(target !== undefined && isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // `fromEntries` makes a plain member even of a name such as `__proto__`.
  return Object.fromEntries(merged);
};

/** What a patch would leave behind where nothing was: its values without the removals, for schemas to judge. */
export const withoutRemovals = (patch: JsonValue): JsonValue => mergePatch(undefined, patch);

export const isJsonObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
