import { InvalidArgumentError } from 'commander';

/** Reads an option that counts something. */
export const wholeNumberFrom =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Must be a whole number from ${least}.`);
  };
