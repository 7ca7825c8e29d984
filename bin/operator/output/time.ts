import { z } from 'zod';
import { UserError } from '../user-error.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A day, or a time in any zone, with or without seconds. */
const isoTime = z.union([
  z.iso.date(),
  ...[null, -1].map((precision) => z.iso.datetime({ offset: true, precision })),
]);

/** Reads a time: `2026-11-21T12:00:00Z`, `2026-11-21`, or how long ago: `90s`, `30m`, `2h`, `3d`. */
export const readTime = (option: string, text: string, now: Date): number => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return now.getTime() - Number(count) * unitsMs[unit as keyof typeof unitsMs];
  if (isoTime.safeParse(text).success) return Date.parse(text);
  throw new UserError(
    `${option} is a time such as 2026-11-21T12:00:00Z, or how long ago, such as 30m, 2h or 3d.`,
  );
};

/** `12:00:00 UTC` on the same day, else with the day. */
export const clockText = (atMs: number, nowMs: number): string => {
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T');
  const clock = `${time.slice(0, 8)} UTC`;
  return day === new Date(nowMs).toISOString().slice(0, 10) ? clock : `${day} ${clock}`;
};

/** `2026-11-21 12:00:00.000`, in UTC. */
export const stampText = (atMs: number): string =>
  new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');

/** `850 ms`, `12.5 s`, `3 min 5 s`, `26 h 3 min`, `3 d 2 h`. */
export const durationText = (durationMs: number): string => {
  if (durationMs < 1_000) return `${durationMs} ms`;
  if (durationMs < 60_000) return `${Math.round(durationMs / 100) / 10} s`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  if (seconds < 172_800) return twoUnits(Math.round(seconds / 60), 60, 'h', 'min');
  return twoUnits(Math.round(seconds / 3_600), 24, 'd', 'h');
};

const twoUnits = (value: number, size: number, large: string, small: string) => {
  const rest = value % size;
  return `${Math.floor(value / size)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`;
};
