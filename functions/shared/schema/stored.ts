import { z } from 'zod';
import {
  type ClosedElementName,
  closedElements,
  type Holds,
  type Kind,
} from '../domain/transaction/shape.ts';
import { isLine } from './fields.ts';

/**
 * The closed elements as they may be stored: what our writes make, and what other systems export (RUN-6), which write
 * null for unknown values and have negative amounts. Imports are validated by these schemas, and they describe the
 * messages of events. The refusals are phrases that follow the path of a member.
 */
export const storedLine = z.string().refine(isLine, 'is not one line without control characters');

const storedWhole = z.int({
  error: `is not a whole number up to ${Number.MAX_SAFE_INTEGER} in size`,
  abort: true,
});

export const numericId = storedWhole.min(1, 'is below 1');

const kinds: { readonly [Holds in Kind]: z.ZodType } = {
  flag: z.literal([0, 1]),
  wholeNumber: storedWhole,
  numericId,
  money: z
    .string()
    .regex(
      /^-?\d{1,15}\.\d{2}$/,
      'is not a decimal with two decimals and at most 15 digits before them, such as "199.00"',
    ),
  decimal: z
    .string()
    .regex(
      /^-?\d{1,15}(\.\d{1,10})?$/,
      'is not a decimal number with at most 15 digits and 10 decimals, such as "199.00"',
    ),
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date of the form YYYY-MM-DD'),
  time: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'is not a time of the form YYYY-MM-DD HH:MM:SS'),
  opaque: storedLine.min(1, 'is empty').max(256, 'is longer than 256 characters'),
  line: storedLine,
  text: z.string(),
  hash: z.string().regex(/^[0-9a-fA-F]{40}$/, 'is not 40 hexadecimal characters'),
  details: z.union([z.string(), z.looseObject({})], { error: 'is neither an object nor a text' }),
  anything: z.unknown(),
};

/** The stored type of a member: null or absent if unknown. */
const stored = (holds: Holds) => {
  const kind = holds.replace('!', '') as Kind;
  if (kind !== holds) return kinds[kind];
  return kind === 'anything' ? kinds.anything.optional() : kinds[kind].nullable().optional();
};

type Members<Name extends ClosedElementName> = keyof (typeof closedElements)[Name];

/** A closed element with its stored members. */
export const storedElement = <Name extends ClosedElementName>(name: Name) => {
  const members = Object.entries<Holds>(closedElements[name]).map(([member, holds]) => [
    member,
    stored(holds),
  ]);
  return z.strictObject(Object.fromEntries(members) as { [Member in Members<Name>]: z.ZodType });
};
