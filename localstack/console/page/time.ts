/** 12:03:22, as the stage's clock shows it here. */
export const clockText = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');

/** The time alone on the day of now, else the day alone. */
export const whenText = (ms: number, nowMs: number): string =>
  new Date(ms).toDateString() === new Date(nowMs).toDateString()
    ? clockText(ms)
    : new Date(ms).toLocaleDateString('en-GB', { dateStyle: 'medium' });

export const dateText = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** "1 d 3 h", "2 min 5 s": the two largest units. */
export const spanText = (ms: number): string => {
  let seconds = Math.round(ms / 1000);
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
};
