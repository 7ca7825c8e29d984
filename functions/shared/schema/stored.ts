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
 * null for unknown values and have negative amounts. In all else a stored delivery is one that a write takes, because
 * callers send back what is shown; a payment is a record that nobody writes again. Imports are validated by these
 * schemas, and they describe the messages of events. The refusals are phrases that follow the path of a member.
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
      /^-?(?:0|[1-9]\d{0,12})\.\d{2}$/,
      'is not a decimal with two decimals, at most 13 digits before them and no leading zeros, such as "199.00"',
    ),
  recordedMoney: z
    .string()
    .regex(
      /^-?\d{1,15}\.\d{2}$/,
      'is not a decimal with two decimals and at most 15 digits before them, such as "199.00"',
    ),
  decimal: z
    .string()
    .regex(
      /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,10})?$/,
      'is not a decimal number with at most 13 digits, 10 decimals and no leading zeros, such as "199.00"',
    ),
  day: inCalendar(/^\d{4}-\d{2}-\d{2}$/, 'date of the form YYYY-MM-DD'),
  time: inCalendar(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'time of the form YYYY-MM-DD HH:MM:SS'),
  opaque: storedLine.min(1, 'is empty').max(256, 'is longer than 256 characters'),
  line: storedLine,
  shortLine: storedLine.max(200, 'is longer than 200 characters'),
  text: z.string(),
  hash: z.string().regex(/^[0-9a-fA-F]{40}$/, 'is not 40 hexadecimal characters'),
  details: z.union([z.string(), z.looseObject({})], { error: 'is neither an object nor a text' }),
  anything: z.unknown(),
};

/** `Date` reads 29 February 2027 as 1 March. */
function inCalendar(form: RegExp, what: string) {
  const exists = (text: string) => {
    const iso = text.replace(' ', 'T');
    const read = new Date(iso.includes('T') ? `${iso}Z` : iso);
    return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(iso);
  };
  return z
    .string()
    .regex(form, { error: `is not a ${what}`, abort: true })
    .refine(exists, `is a ${what} that does not exist`);
}

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
