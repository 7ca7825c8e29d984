const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A span of whole seconds as sentences say it: `two minutes`, `15 minutes`, `90 seconds`. */
export const spanText = (seconds: number): string => {
  const minutes = seconds / 60;
  if (!Number.isInteger(minutes)) return counted(String(seconds), 'second', seconds);
  return counted(words[minutes - 1] ?? String(minutes), 'minute', minutes);
};

const counted = (number: string, unit: string, count: number) => `${number} ${unit}${count === 1 ? '' : 's'}`;
