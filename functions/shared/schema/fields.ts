import * as z from 'zod/mini';

/** The types of members of elements, each with the message of its refusal. */
const mustBe = (what: string) => `The member must be ${what}.`;

/** Free text of any number of lines. */
export const text = (longest: number) => {
  const refusal = mustBe(`text of at most ${longest} characters`);
  return z.string(refusal).check(z.maxLength(longest, refusal));
};

/** Text on one line, such as names and ids, which lists, files and logs show (S-38). */
export const line = (longest: number) =>
  text(longest).check(z.refine(isLine, mustBe('one line without control characters')));

/** Whether text has no control character, and so no line break (S-38). */
export function isLine(value: string): boolean {
  return !/\p{Cc}/u.test(value);
}

/** A known member of an open element. The caller decides its format, line breaks included. */
export const label = text(200);

export const flag = z.literal([0, 1], mustBe('0 or 1'));
export const yesOrNo = z.boolean(mustBe('true or false'));
export const wholeNumber = z.int(mustBe(`a whole number up to ${Number.MAX_SAFE_INTEGER} in size`));

/** An amount of the interface: text with two decimals, and one text for each amount (V2-3). */
export const money = patterned(
  /^(?:0|[1-9]\d{0,12})\.\d{2}$/,
  'a decimal with two decimals and no leading zeros in quotes, from "0.00" to "9999999999999.99"',
);
export const decimal = patterned(
  /^(?:0|[1-9]\d{0,12})(?:\.\d{1,10})?$/,
  'a decimal number in quotes, below "10000000000000", with at most 10 decimals and no leading zeros',
);

/** An amount in an open element. The caller decides its format. */
const amountRefusal = mustBe(
  'a number, or a decimal number in quotes between "-10000000000000" and "10000000000000" with at most 10 decimals',
);
export const amount = z.union(
  [z.number(), z.string().check(z.regex(/^-?\d{1,13}(?:\.\d{1,10})?$/, amountRefusal))],
  { error: amountRefusal },
);

export const day = z.iso.date(mustBe('a date of the form YYYY-MM-DD'));
export const hash = patterned(/^[0-9a-fA-F]{40}$/, '40 hexadecimal characters');

/** Any JSON value. `findJsonFault` has checked it before. */
export const anything = z.unknown();

/** Known members of an open object, each optional and nullable. Other members are stored as they are (WR-4). */
export const open = <Shape extends Record<string, z.core.$ZodType>>(shape: Shape) =>
  z.looseObject(
    Object.fromEntries(Object.entries(orNull(shape)).map(([name, schema]) => [name, z.optional(schema)])),
    mustBe('an object'),
  );

/** The same members, each nullable, too. */
export const orNull = <Shape extends Record<string, z.core.$ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.nullable(schema)]));

/** The members that the interface lists, each optional, and no others (interface 2). */
export const closed = <Shape extends Record<string, z.core.$ZodType>>(shape: Shape) =>
  z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)])),
    mustBe('an object'),
  );

/** The address of a web page, or empty (S-46). It is stored and shown, never requested. */
export const webAddress = z
  .string(mustBe('an http or https address, or empty'))
  .check(z.refine(isWebAddress, mustBe('an http or https address of at most 2048 characters, or empty')));

/** Whether text is empty, or an http or https address of limited length without user information (S-46). */
export function isWebAddress(address: string): boolean {
  if (address === '') return true;
  if (address.length > 2048 || !/^https?:\/\/[^/\\\s]/i.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  const hasUserInformation = username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address);
  return !hasUserInformation && !/[\\\s\p{Cc}]/u.test(address);
}

function patterned(pattern: RegExp, what: string) {
  return z.string(mustBe(what)).check(z.regex(pattern, mustBe(what)));
}
