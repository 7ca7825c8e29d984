import { type FieldError, looksLikeFilter } from './filter.ts';
import type { QueryParameters } from './parameters.ts';

/** The names that reads know, beside filters. */
const knownNames = ['page', 'per-page', 'after', 'fields', 'expand'];

/**
 * Every name that differs from a known one only by what nobody sees or means, such as `%20fields`: it would be ignored, and
 * the answer would have more than was asked for (FLT-2, TH-04). `more` are names that only this read knows.
 */
export const disguisedNames = (parameters: QueryParameters, more: readonly string[] = []): FieldError[] =>
  Object.keys(parameters).flatMap((field) => {
    const known = nameBehind(field, [...knownNames, ...more]);
    if (known === undefined) return [];
    const message = `Write the name as ${known}, without white space, invisible characters, quotes and "amp;".`;
    return [{ field, message }];
  });

const nameBehind = (written: string, known: readonly string[]): string | undefined => {
  // What is within brackets is read as it is, and any name that begins with `filter` is judged as a filter.
  const name = written.replace(/(?:\[[^[\]]*\])+$/, '');
  const bare = name.replaceAll(unseen, '').replace(separator, '');
  if (bare === name || looksLikeFilter(name)) return undefined;
  return looksLikeFilter(bare) ? 'filter' : known.find((one) => bare === one || bare.startsWith(`${one}[`));
};

/**
 * White space, characters without a glyph (`\p{C}`: controls, formats, unassigned ones), blank ones, and quotes. U+FFFD is
 * what the gateway makes of bytes that are not UTF-8, such as a no-break space of Latin-1.
 */
const unseen = /[\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}\p{Quotation_Mark}`´′″\u2800\ufffd]/gu;

/** The rest of an `&amp;` in an address that was copied from HTML. */
const separator = /^(?:&?amp;)+/i;
