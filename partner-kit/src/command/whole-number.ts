import { UserError } from './user-error.ts';

/**
 * Reads a whole number of an option: decimal digits, without sign, blank, exponent or leading zero. Throws a UserError for
 * another text or outside the range, whose ends belong to it.
 */
export const wholeNumber = (
  option: string,
  text: string,
  { least, most }: { least: number; most: number },
): number => {
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UserError(`${option} is "${text}" and must be a whole number from ${least} to ${most}.`);
};
