import { counted } from './counted.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A span of whole seconds in words: `two minutes`, `15 minutes`, `90 seconds`. */
export const spanText = (seconds: number): string => {
  const minutes = seconds / 60;
  if (!Number.isInteger(minutes)) return counted(seconds, 'second');
  return counted(minutes, 'minute').replace(/^\d+/, (number) => words[minutes - 1] ?? number);
};
