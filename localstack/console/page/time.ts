/** `12:03:22`, in the browser's time zone. */
export const clockText = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');

/** The time if it is today, otherwise the day. */
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

/** The two largest units: `1 d 3 h`, `2 min 5 s`. */
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
