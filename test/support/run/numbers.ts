import { InvalidArgumentError } from 'commander';
import { noWholeNumber, type Range, wholeNumber } from '../../../lib/whole-number.ts';

/** Reads an option of a command. */
export const numberOption =
  (range: Range) =>
  (text: string): number => {
    const value = wholeNumber(text, range);
    if (value === undefined)
      throw new InvalidArgumentError(`Must be a whole number from ${range.least} to ${range.most}.`);
    return value;
  };

/** Reads an environment variable with which a run is larger than usual, or is replayed. */
export const numberVariable = (name: string, usual: number): number => {
  const text = process.env[name];
  if (text === undefined) return usual;
  const range = { least: 0, most: 2 ** 32 - 1 };
  const value = wholeNumber(text, range);
  if (value === undefined) throw new Error(noWholeNumber(name, text, range));
  return value;
};
