/** Both ends belong to it. */
export type Range = { least: number; most: number };

/**
 * Reads a whole number of an option or a variable as a person writes it: decimal digits, without sign, blank, exponent or
 * leading zero. Undefined for another text or outside the range. `Number` would take `1e3`, `0x10`, ` 80` and an empty text.
 */
export const wholeNumber = (text: string, { least, most }: Range): number | undefined => {
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
};

/** What to say where `wholeNumber` finds none. */
export const noWholeNumber = (name: string, text: string, { least, most }: Range): string =>
  `${name} is "${text}" and must be a whole number from ${least} to ${most}.`;
